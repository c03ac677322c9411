//! `cargo xtask install`: `rolima` where the shell finds it.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::command::{cargo, succeed};
use crate::page;
use crate::tools::features;

/// Builds the page and the program, installs it as cargo does, and says where it is.
pub(crate) fn install(arguments: &[String]) -> Result<()> {
    let root = match arguments {
        [] => default_root().context("cargo's home cannot be told; --root FOLDER chooses one")?,
        [option, folder] if option == "--root" => env::current_dir()?.join(folder),
        _ => bail!("`install` takes nothing or `--root FOLDER`, got `{}`", arguments.join(" ")),
    };
    page::build()?;
    let what = ["install", "--locked", "--force", "--path", "crates/rolima", "--root"];
    succeed(cargo(&what).arg(&root).args(features()))?;
    let folder = root.join("bin");
    let program = folder.join(format!("rolima{}", env::consts::EXE_SUFFIX));
    println!("{}", told(&program, env::var_os("PATH").as_deref()));
    Ok(())
}

/// Where cargo installs programs, unless its configuration says otherwise.
fn default_root() -> Option<PathBuf> {
    let set = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || set("HOME").or_else(|| set("USERPROFILE")).map(|home| home.join(".cargo"));
    set("CARGO_INSTALL_ROOT").or_else(|| set("CARGO_HOME")).or_else(home)
}

/// Where the program is, and whether a shell with this path starts it by its name.
fn told(program: &Path, path: Option<&OsStr>) -> String {
    let folder = program.parent().unwrap_or(program);
    let folders: Vec<PathBuf> =
        path.map(|path| env::split_paths(path).collect()).unwrap_or_default();
    let (shown, name) = (program.display(), program.file_name().unwrap_or_default());
    let Some(own) = folders.iter().position(|known| known == folder) else {
        let add = match cfg!(windows) {
            true => format!("set PATH={};%PATH%", folder.display()),
            false => format!("export PATH=\"{}:$PATH\"", folder.display()),
        };
        return format!("{shown} is installed, but its folder is not on the path: {add}");
    };
    match folders[..own].iter().map(|known| known.join(name)).find(|other| other.is_file()) {
        Some(other) => format!(
            "{shown} is installed, but `rolima` starts {}, which comes before it on the path",
            other.display()
        ),
        None => format!("{shown} is installed and on the path: `rolima` starts it"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_it_is_and_whether_the_shell_finds_it_is_told() {
        let folder = env::temp_dir().join(format!("rolima-install-{}", std::process::id()));
        let (first, own) = (folder.join("first"), folder.join("own"));
        for folder in [&first, &own] {
            std::fs::create_dir_all(folder).expect("a folder");
        }
        let program = own.join("rolima");
        let path = env::join_paths([&first, &own]).expect("a path");
        let found = told(&program, Some(&path));
        assert!(found.ends_with("on the path: `rolima` starts it"), "{found}");
        let missing = told(&program, Some(first.as_os_str()));
        assert!(missing.contains("not on the path") && missing.contains("PATH="), "{missing}");
        assert!(told(&program, None).contains("not on the path"));
        std::fs::write(first.join("rolima"), "").expect("a file");
        let hidden = told(&program, Some(&path));
        assert!(hidden.contains("which comes before it"), "{hidden}");
        std::fs::remove_dir_all(folder).expect("a folder");
    }

    #[test]
    fn unknown_arguments_are_refused_before_anything_is_built() {
        for bad in [&["--prefix"][..], &["--root"], &["--root", "a", "b"]] {
            let words: Vec<String> = bad.iter().map(|word| (*word).to_owned()).collect();
            let error = install(&words).expect_err("no such option").to_string();
            assert!(error.contains("--root FOLDER") && error.contains(bad[0]), "{error}");
        }
    }
}
