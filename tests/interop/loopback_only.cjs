// Loaded into a gateway before its own code (NODE_OPTIONS=--require): a server that names no host listens on loopback only.
const net = require("node:net");
const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (port, ...rest) {
  return typeof port === "number" && typeof rest[0] !== "string" ? listen.call(this, port, "127.0.0.1", ...rest) : listen.call(this, port, ...rest);
};
