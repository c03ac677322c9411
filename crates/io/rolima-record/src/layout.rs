//! Which message of a recording has which channel: a topic a subject, a field a channel.
//!
//! `robot.blue-1.wheel.left.spin` is field `wheel.left.spin` of topic `/robot/blue-1`; what belongs to no body
//! is in `/world`. Numbers at the end of names (`sensor.lidar.distance.0` and on) are the elements of one list.
//! Letters that Protobuf has no room for become `_`. Topics whose fields are called the same share a schema.

use crate::plan::Plan;
use prost::Message;
use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{DescriptorProto, FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet};
use rolima_core::Channel;

/// First words of channels that belong to something with a name.
const SUBJECTS: [&str; 4] = ["robot", "ball", "object", "sensor"];
/// The topic of all other channels.
const WORLD: &str = "/world";
/// The package of the messages.
const PACKAGE: &str = "rolima.channels";

/// The messages of a scene's channels.
pub(crate) struct Layout {
    pub(crate) topics: Vec<Topic>,
    /// Where each channel stands.
    pub(crate) places: Vec<Place>,
    pub(crate) shapes: Vec<Shape>,
}

/// A topic.
pub(crate) struct Topic {
    pub(crate) name: String,
    /// Which of the shapes its message has.
    pub(crate) shape: usize,
    pub(crate) plan: Plan,
    fields: Vec<Field>,
}

/// Where a channel stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    /// Number of the topic.
    pub(crate) topic: usize,
    /// Numbers of fields, from the outermost message in.
    pub(crate) path: Vec<u32>,
    /// Its place in a list.
    pub(crate) index: Option<usize>,
}

/// A message without its values.
pub(crate) struct Shape {
    /// Its full name.
    pub(crate) name: String,
    /// Its descriptor, as files carry it.
    pub(crate) descriptor: Vec<u8>,
}

/// A field of a message.
pub(crate) struct Field {
    /// As in the names of channels.
    segment: String,
    /// As in the message.
    ident: String,
    pub(crate) kind: Kind,
}

pub(crate) enum Kind {
    /// A channel, by its number.
    Leaf(usize),
    /// Channels that are numbered from 0.
    List(Vec<usize>),
    Group(Vec<Field>),
}

impl Layout {
    /// The messages of these channels; numbers are f64 or f32.
    pub(crate) fn new(channels: &[Channel], double: bool) -> Self {
        let mut topics: Vec<Topic> = vec![];
        let mut places = Vec::with_capacity(channels.len());
        for (number, channel) in channels.iter().enumerate() {
            let (name, segments) = split(&channel.name);
            let topic = topics.iter().rposition(|topic| topic.name == name).unwrap_or_else(|| {
                topics.push(Topic { name, shape: 0, plan: Plan::default(), fields: vec![] });
                topics.len() - 1
            });
            let mut path = vec![];
            let index = add(&mut topics[topic].fields, &segments, number, &mut path);
            places.push(Place { topic, path, index });
        }
        let mut known: Vec<(String, DescriptorProto)> = vec![];
        for topic in &mut topics {
            let subject = topic.name[1..].split('/').next().unwrap_or_default();
            topic.shape = shape_of(&mut known, subject, &topic.fields, double);
            topic.plan = Plan::new(&topic.fields, double);
        }
        let shape = |(_, message): (String, DescriptorProto)| Shape {
            name: format!("{PACKAGE}.{}", message.name()),
            descriptor: file_of(message),
        };
        Self { topics, places, shapes: known.into_iter().map(shape).collect() }
    }
}

/// The topic of a channel, and the rest of its name.
fn split(name: &str) -> (String, Vec<&str>) {
    let segments: Vec<&str> = name.split('.').collect();
    match segments[..] {
        [subject, named, _, ..] if SUBJECTS.contains(&subject) => {
            (format!("/{subject}/{named}"), segments[2..].to_vec())
        }
        _ => (WORLD.to_owned(), segments),
    }
}

/// Adds a channel to a message. Returns its place in a list, if it is in one.
fn add(
    fields: &mut Vec<Field>,
    segments: &[&str],
    channel: usize,
    path: &mut Vec<u32>,
) -> Option<usize> {
    let (segment, rest) = (segments[0], &segments[1..]);
    let found = fields.iter().position(|field| match (&field.kind, rest) {
        (Kind::Group(_), [_, ..]) => field.segment == segment,
        (Kind::List(list), [last]) => field.segment == segment && *last == list.len().to_string(),
        _ => false,
    });
    let at = found.unwrap_or_else(|| {
        let kind = match rest {
            [] => Kind::Leaf(channel),
            ["0"] => Kind::List(vec![]),
            _ => Kind::Group(vec![]),
        };
        let ident = ident(segment, fields);
        fields.push(Field { segment: segment.to_owned(), ident, kind });
        fields.len() - 1
    });
    path.push(at as u32 + 1);
    match &mut fields[at].kind {
        Kind::Leaf(_) => None,
        Kind::List(list) => {
            list.push(channel);
            Some(list.len() - 1)
        }
        Kind::Group(inner) => add(inner, rest, channel, path),
    }
}

/// A name for a field that no other of the message has, in the JSON form of messages either.
fn ident(segment: &str, others: &[Field]) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut ident: String = segment.chars().map(letter).collect();
    if !ident.starts_with(|c: char| c.is_ascii_alphabetic()) || ident.starts_with("Of_") {
        ident.insert_str(0, "n_");
    }
    let bare = |ident: &str| ident.replace('_', "").to_ascii_lowercase();
    let is_free = |ident: &str| others.iter().all(|other| bare(&other.ident) != bare(ident));
    let numbered = |n: u32| format!("{ident}_{n}");
    if is_free(&ident) {
        return ident;
    }
    (2..).map(numbered).find(|ident| is_free(ident)).unwrap_or(ident)
}

/// The number of the shape that a message has, which is added if it is new.
fn shape_of(
    known: &mut Vec<(String, DescriptorProto)>,
    subject: &str,
    fields: &[Field],
    double: bool,
) -> usize {
    let message = message(String::new(), fields, double);
    let same = |(of, shape): &(String, DescriptorProto)| {
        of == subject && shape.field == message.field && shape.nested_type == message.nested_type
    };
    known.iter().position(same).unwrap_or_else(|| {
        let number = known.iter().filter(|(of, _)| of == subject).count() + 1;
        let mut name = subject.to_owned();
        name[..1].make_ascii_uppercase();
        if number > 1 {
            name.push_str(&number.to_string());
        }
        known.push((subject.to_owned(), DescriptorProto { name: Some(name), ..message }));
        known.len() - 1
    })
}

/// The descriptor of a message; the types of its groups are inside it.
fn message(name: String, fields: &[Field], double: bool) -> DescriptorProto {
    let number = if double { Type::Double } else { Type::Float };
    let mut nested_type = vec![];
    let mut field = vec![];
    for (at, known) in fields.iter().enumerate() {
        let mut described = FieldDescriptorProto {
            name: Some(known.ident.clone()),
            number: Some(at as i32 + 1),
            ..FieldDescriptorProto::default()
        };
        let (label, kind) = match &known.kind {
            Kind::Leaf(_) => (Label::Optional, number),
            Kind::List(_) => (Label::Repeated, number),
            Kind::Group(inner) => {
                // By itself, to be found from the scope that it is in.
                described.type_name = Some(format!("Of_{}", known.ident));
                nested_type.push(message(format!("Of_{}", known.ident), inner, double));
                (Label::Optional, Type::Message)
            }
        };
        described.set_label(label);
        described.set_type(kind);
        field.push(described);
    }
    DescriptorProto { name: Some(name), field, nested_type, ..DescriptorProto::default() }
}

/// The descriptor of a file with one message, in a set of one.
fn file_of(mut message: DescriptorProto) -> Vec<u8> {
    let name = message.name().to_owned();
    qualify(&mut message, &format!(".{PACKAGE}.{name}"));
    let file = FileDescriptorProto {
        name: Some(format!("{}/{name}.proto", PACKAGE.replace('.', "/"))),
        package: Some(PACKAGE.to_owned()),
        message_type: vec![message],
        syntax: Some("proto3".to_owned()),
        ..FileDescriptorProto::default()
    };
    FileDescriptorSet { file: vec![file] }.encode_to_vec()
}

/// Types by their full names.
fn qualify(message: &mut DescriptorProto, path: &str) {
    for field in &mut message.field {
        if let Some(name) = &mut field.type_name {
            *name = format!("{path}.{name}");
        }
    }
    for nested in &mut message.nested_type {
        let path = format!("{path}.{}", nested.name());
        qualify(nested, &path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channel(name: &str) -> Channel {
        Channel { name: name.to_owned(), unit: "", meaning: "", range: [0.0, 1.0] }
    }

    fn idents(fields: &[Field]) -> Vec<&str> {
        fields.iter().map(|field| field.ident.as_str()).collect()
    }

    #[test]
    fn channels_become_fields_of_the_topic_of_their_subject() {
        let names = [
            "time",
            "robot.a-1.x",
            "robot.a-1.wheel.left.spin",
            "robot.a-1.sensor.front-eye.distance.0",
            "robot.a-1.sensor.front-eye.distance.1",
            "robot.a-1.sensor.front_eye.distance",
            "robot.b.x",
            "zone.left.goals",
        ];
        let channels: Vec<_> = names.iter().map(|name| channel(name)).collect();
        let layout = Layout::new(&channels, false);
        let topics: Vec<_> = layout.topics.iter().map(|topic| topic.name.as_str()).collect();
        assert_eq!(topics, ["/world", "/robot/a-1", "/robot/b"]);
        let shapes: Vec<_> = layout.shapes.iter().map(|shape| shape.name.as_str()).collect();
        let expected = ["rolima.channels.World", "rolima.channels.Robot", "rolima.channels.Robot2"];
        assert_eq!(shapes, expected);
        let Kind::Group(sensors) = &layout.topics[1].fields[2].kind else { panic!("a group") };
        assert_eq!(idents(sensors), ["front_eye", "front_eye_2"], "one name each");
        assert_eq!(layout.places[4], Place { topic: 1, path: vec![3, 1, 1], index: Some(1) });
        assert_eq!(layout.places[5], Place { topic: 1, path: vec![3, 2, 1], index: None });
    }
}
