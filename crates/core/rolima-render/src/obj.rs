//! Meshes from OBJ text.
