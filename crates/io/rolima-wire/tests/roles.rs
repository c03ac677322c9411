//! The table of roles in docs/live.md is the one in the code.

use rolima_wire::Role;
use rolima_wire::role::ROLES;
use std::collections::BTreeMap;

/// Rows of the document's table: names of messages with the least role that may.
fn documented() -> BTreeMap<String, Role> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/live.md");
    let text = std::fs::read_to_string(file).expect("docs/live.md");
    let head = "| message | watch | drive | control | what |";
    let (_, table) = text.split_once(head).expect("the table of roles");
    let mut found = BTreeMap::new();
    for row in table.lines().skip(2).take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [messages, columns @ .., _what] = cells.as_slice() else { panic!("{row}") };
        assert_eq!(columns.len(), 3, "{row}");
        let least = columns.iter().position(|cell| *cell == "yes").expect(row);
        // Each role may do all that those before it may.
        let expected = |at: usize| if at >= least { "yes" } else { "" };
        columns.iter().enumerate().for_each(|(at, cell)| assert_eq!(*cell, expected(at), "{row}"));
        for name in messages.split(", ") {
            let name = name.trim_matches('`').to_owned();
            assert!(found.insert(name, Role::ALL[least]).is_none(), "twice: {row}");
        }
    }
    found
}

#[test]
fn the_documented_roles_are_those_in_the_code() {
    let coded: BTreeMap<String, Role> =
        ROLES.iter().map(|(name, role)| ((*name).to_owned(), *role)).collect();
    assert_eq!(coded.len(), ROLES.len());
    assert_eq!(documented(), coded);
}
