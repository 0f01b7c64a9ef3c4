/* What a utility process of Electron has at `process.parentPort`, over the channel of one that Node forked. */

process.parentPort = {
  on: (_message, listener) => process.on('message', (data) => listener({ data })),
  postMessage: (message) => process.send(message),
};
// Electron ends it with the app.
process.on('disconnect', () => process.exit());
