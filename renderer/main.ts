import { mount } from 'svelte';
import App from './app.svelte';
import './styles/window.css';

const target = document.querySelector('#window');
if (target) mount(App, { target });
