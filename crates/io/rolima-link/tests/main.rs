//! The camera link: what it says, and its server on real sockets.

mod codec;
