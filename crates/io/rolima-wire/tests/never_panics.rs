//! Whatever bytes a client sends, decoding ends with a checked value or an error, with bounded
//! memory.

use proptest::prelude::*;
use rolima_core::{Command, Volts};
use rolima_testing::heap;
use rolima_wire::prost::Message;
use rolima_wire::{Ask, ask, decode, map, pb};

/// Most that decoding allocates in all, bytes: a vector of the smallest drives doubles its way up
/// to 32,768 of 12 bytes, then they are checked.
const MOST_ALLOCATED: usize = 2 << 20;

fn decode_with_count(bytes: &[u8]) -> (Result<Ask, rolima_wire::WireError>, usize) {
    let mut result = None;
    let allocated = heap::allocations(|| result = Some(decode(bytes))).bytes;
    let result = result.expect("decoding ends");
    ask::fuzz_entry(bytes);
    (result, allocated)
}

fn numbers() -> impl Strategy<Value = f64> + Clone {
    prop_oneof![
        4 => -1e6..1e6f64,
        1 => Just(f64::NAN),
        1 => Just(f64::INFINITY),
        1 => Just(-1e7),
        1 => Just(0.0),
    ]
}

fn drives() -> impl Strategy<Value = pb::Drive> {
    let speeds = (numbers(), numbers());
    let holds = prop_oneof![0..=3000u32, any::<u32>()];
    (any::<u32>(), numbers(), numbers(), -1..4i32, speeds, holds).prop_map(
        |(body, left, right, by, (speed, turning), hold_ms)| pb::Drive {
            body,
            left: left as f32,
            right: right as f32,
            by,
            speed: speed as f32,
            turning: turning as f32,
            hold_ms,
        },
    )
}

fn messages() -> impl Strategy<Value = pb::ClientMessage> {
    use pb::client_message::Kind;
    use pb::control::Kind as Control;
    let control = prop_oneof![
        any::<bool>().prop_map(Control::Play),
        any::<bool>().prop_map(Control::Pause),
        any::<u32>().prop_map(Control::Step),
        numbers().prop_map(Control::Speed),
        any::<bool>().prop_map(Control::Reset),
        any::<u64>().prop_map(Control::Seed),
        any::<String>().prop_map(Control::Load),
    ];
    let place = (any::<u32>(), numbers(), numbers(), numbers());
    let push = (any::<u32>(), numbers(), numbers(), numbers(), numbers());
    let kind = prop_oneof![
        control.prop_map(|kind| Kind::Control(pb::Control { kind: Some(kind) })),
        (any::<u32>(), any::<bool>())
            .prop_map(|(body, release)| Kind::Claim(pb::Claim { body, release })),
        drives().prop_map(Kind::Drive),
        place.prop_map(|(body, x, y, heading)| Kind::Place(pb::Place { body, x, y, heading })),
        push.clone().prop_map(|(body, x, y, impulse_x, impulse_y)| Kind::Push(pb::Push {
            body,
            x,
            y,
            impulse_x,
            impulse_y
        })),
        push.prop_map(|(body, own_x, own_y, x, y)| Kind::Grab(pb::Grab {
            body,
            own_x,
            own_y,
            x,
            y
        })),
        any::<u32>().prop_map(|body| Kind::LetGo(pb::LetGo { body })),
        any::<String>().prop_map(|name| Kind::NewName(pb::NewName { name })),
        any::<u32>().prop_map(|period| Kind::Join(pb::Join { period })),
        (any::<u64>(), proptest::collection::vec(drives(), 0..40))
            .prop_map(|(step, drives)| Kind::Answer(pb::Answer { step, drives })),
        proptest::collection::vec(drives(), 0..40)
            .prop_map(|drives| Kind::DriveTeam(pb::DriveTeam { drives })),
    ];
    kind.prop_map(|kind| pb::ClientMessage { kind: Some(kind) })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn on_random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let (_, allocated) = decode_with_count(&bytes);
        prop_assert!(allocated < MOST_ALLOCATED, "{allocated}");
    }

    #[test]
    fn on_mutated_messages(
        message in messages(),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        end in any::<prop::sample::Index>(),
    ) {
        let mut bytes = message.encode_to_vec();
        for (at, value) in edits {
            if !bytes.is_empty() {
                let at = at.index(bytes.len());
                bytes[at] = value;
            }
        }
        bytes.truncate(end.index(bytes.len() + 1));
        let (_, allocated) = decode_with_count(&bytes);
        prop_assert!(allocated < MOST_ALLOCATED, "{allocated}");
    }

    #[test]
    fn what_is_sent_arrives_or_is_refused(message in messages()) {
        use pb::client_message::Kind;
        let result = decode(&message.encode_to_vec());
        let fine = |x: f64| x.abs() <= ask::MOST_NUMBER;
        match message.kind.expect("a kind") {
            Kind::Drive(drive) => {
                let numbers = [drive.left, drive.right, drive.speed, drive.turning];
                let [left, right, v, omega] = numbers.map(f64::from);
                let all_fine = [left, right, v, omega].into_iter().all(fine)
                    && (0..4).contains(&drive.by)
                    && drive.hold_ms <= ask::MOST_HOLD_MS;
                match result {
                    Ok(Ask::Drive(got)) => {
                        prop_assert!(all_fine);
                        prop_assert_eq!(got.body, drive.body);
                        let expected = match drive.by {
                            0 => Command::Volts(Volts { right, left }),
                            1 => Command::Velocity { v, omega },
                            2 => Command::Wheels { right, left },
                            _ => Command::Stop,
                        };
                        prop_assert_eq!(got.command, expected);
                    }
                    other => prop_assert!(!all_fine && other.is_err()),
                }
            }
            Kind::Grab(grab) => {
                let all_fine = [grab.own_x, grab.own_y, grab.x, grab.y].into_iter().all(fine);
                match result {
                    Ok(Ask::Grab { body, own, hand }) => {
                        prop_assert!(all_fine);
                        let got = (body, own.x, own.y, hand.x, hand.y);
                        prop_assert_eq!(got, (grab.body, grab.own_x, grab.own_y, grab.x, grab.y));
                    }
                    other => prop_assert!(!all_fine && other.is_err()),
                }
            }
            Kind::DriveTeam(team) => match result {
                Ok(Ask::DriveTeam(drives)) => {
                    let sent = team.drives.iter().map(|drive| drive.body);
                    prop_assert!(sent.eq(drives.iter().map(|drive| drive.body)));
                }
                other => prop_assert!(other.is_err()),
            },
            Kind::Answer(answer) => match result {
                Ok(Ask::Answer { step, drives }) => {
                    prop_assert_eq!((step, drives.len()), (answer.step, answer.drives.len()));
                }
                other => prop_assert!(other.is_err()),
            },
            Kind::Claim(claim) if claim.release => {
                prop_assert_eq!(result, Ok(Ask::GiveUp { body: claim.body }));
            }
            Kind::Claim(claim) => prop_assert_eq!(result, Ok(Ask::Claim { body: claim.body })),
            Kind::NewName(pb::NewName { name }) => {
                prop_assert_eq!(result, Ok(Ask::NewName(ask::clean_name(&name))));
            }
            _ => {}
        }
    }
}

#[test]
fn the_costliest_message_is_refused_within_the_bound() {
    // The longest answer of the smallest drives: two bytes each.
    let mut answer = vec![];
    while answer.len() + 10 < ask::MOST_MESSAGE_BYTES {
        answer.extend([0x12, 0]);
    }
    let mut bytes = vec![0x52];
    rolima_wire::prost::encoding::encode_varint(answer.len() as u64, &mut bytes);
    bytes.extend(answer);
    let (result, allocated) = decode_with_count(&bytes);
    let error = result.expect_err("too many drives").to_string();
    assert!(error.contains("answer.drives"), "{error}");
    assert!(allocated > 300_000 && allocated < MOST_ALLOCATED, "{allocated}");
}

#[test]
fn a_long_message_allocates_no_more_than_it_has_bytes() {
    let map = pb::LoadMap { data: vec![7; map::MOST_MAP_BYTES].into(), ..pb::LoadMap::default() };
    let kind = Some(pb::client_message::Kind::LoadMap(map));
    let bytes = pb::ClientMessage { kind }.encode_to_vec();
    let (result, allocated) = decode_with_count(&bytes);
    assert!(matches!(result, Ok(Ask::LoadMap(_))));
    assert!(allocated < bytes.len() + MOST_ALLOCATED, "{allocated}");
    // As long, but drives, which would take six times as much: not even looked at.
    let mut drives = vec![0x52];
    rolima_wire::prost::encoding::encode_varint(bytes.len() as u64, &mut drives);
    drives.extend([0x12, 0].repeat(bytes.len() / 2));
    let (result, allocated) = decode_with_count(&drives);
    assert!(matches!(result, Err(rolima_wire::WireError::TooLong(_))));
    assert!(allocated < 1000, "{allocated}");
}
