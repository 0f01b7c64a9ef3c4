export interface ServeOptions {
  readonly data: string;
  /** The address of a database with the office, instead of the data folder. */
  readonly store?: string;
  readonly port?: number;
  readonly host?: string;
  readonly windowPort?: number;
  readonly tunnelPort?: number;
  /** Milliseconds for which an unresponsive process keeps the lease of an office in a database. */
  readonly lease?: number;
  readonly publicUrl?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly allowPlainPartners?: true;
  readonly trustedProxies?: readonly string[];
  readonly label?: string;
  /** The interval in milliseconds. */
  readonly syncInterval?: number;
  readonly allowLoopbackPartners: boolean;
  readonly remoteManagement: boolean;
  readonly json: boolean;
  readonly open: boolean;
  /** If a node already uses the folder, shows its window and ends: for `npm start`. */
  readonly orShow: boolean;
}
