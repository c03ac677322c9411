//! Files of a test's own.

use rolima_testing::Folder;
use std::fs;

/// Where a file is, as an argument.
pub(crate) fn at(folder: &Folder, name: &str) -> String {
    folder.file(name).to_str().expect("a path").to_owned()
}

pub(crate) fn written(folder: &Folder, name: &str, text: &str) -> String {
    fs::write(folder.file(name), text).expect("a file");
    at(folder, name)
}

/// A certificate for this machine and its key.
pub(crate) fn certificate_in(folder: &Folder) -> [String; 2] {
    let made = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned()]).expect("made");
    let key = made.signing_key.serialize_pem();
    [written(folder, "own.crt", &made.cert.pem()), written(folder, "own.key", &key)]
}
