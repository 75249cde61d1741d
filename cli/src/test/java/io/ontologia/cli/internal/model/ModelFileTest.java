package io.ontologia.cli.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import io.ontologia.kernel.Json;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelFileTest {
    @TempDir
    Path folder;

    private Workspace workspace;

    @BeforeEach
    void prepare() {
        workspace = new Workspace(folder);
    }

    @Test
    void every_form_of_field_becomes_its_schema_document() {
        Path model = workspace.file("m.yaml", """
                entities:
                  Person:
                    fields:
                      id: {type: str, primary_key: true}
                      age: "int?"
                      score: {type: float, index: true}
                      tags: {type: "list[str]", default: []}
                      extra: "dict[str, any]"
                      address: {street: str, geo: {lat: float, lon: float}}
                      events: {type: [{kind: str}]}
                  Company:
                    fields: {id: {type: str, primary_key: true}}
                relations:
                  Employment:
                    left: Person
                    right: Company
                    instance_key: stint_id
                    fields: {stint_id: str, role: str}
                  Owns: {left: Person, right: Company}
                """);

        OntoRun run = workspace.run("schema", "export", "--models", model.toString());

        run.succeeded();
        assertThat(run.at("entities", "Person", "fields", "age")).isEqualTo(Json.parse("""
                {"primary_key": false, "index": false, "type": "int | None", "type_spec": {"kind": "union", "members":
                    [{"kind": "primitive", "name": "NoneType"}, {"kind": "primitive", "name": "int"}]}}"""));
        assertThat(run.at("entities", "Person", "fields", "score")).isEqualTo(Json.parse("""
                {"primary_key": false, "index": true, "type": "<class 'float'>",
                    "type_spec": {"kind": "primitive", "name": "float"}}"""));
        assertThat(run.at("entities", "Person", "fields", "extra", "type_spec")).isEqualTo(Json.parse("""
                {"kind": "dict", "key": {"kind": "primitive", "name": "str"}, "value": {"kind": "primitive", "name": "any"}}"""));
        assertThat(run.at("entities", "Person", "fields", "address", "type_spec"))
                .isEqualTo(Json.parse("""
                {"kind": "typed_dict", "name": "Address", "total": true, "fields": {
                    "street": {"kind": "primitive", "name": "str"},
                    "geo": {"kind": "typed_dict", "name": "Geo", "total": true, "fields": {
                        "lat": {"kind": "primitive", "name": "float"}, "lon": {"kind": "primitive", "name": "float"}}}}}"""));
        assertThat(run.at("entities", "Person", "fields", "events", "type_spec"))
                .isEqualTo(Json.parse("""
                {"kind": "list", "item": {"kind": "typed_dict", "name": "Events", "total": true, "fields": {
                    "kind": {"kind": "primitive", "name": "str"}}}}"""));
        assertThat(run.at("relations", "Employment")).isEqualTo(Json.parse("""
                {"relation_name": "Employment", "left_type": "Person", "right_type": "Company",
                    "instance_key_field": "stint_id", "fields": {
                        "stint_id": {"index": false, "type": "<class 'str'>", "type_spec": {"kind": "primitive", "name": "str"}},
                        "role": {"index": false, "type": "<class 'str'>", "type_spec": {"kind": "primitive", "name": "str"}}}}"""));
        assertThat(run.at("relations", "Owns", "fields")).isEqualTo(Map.of());
    }

    @Test
    void a_json_file_is_a_model_too() {
        Path yaml = workspace.file(
                "m.yaml", "entities: {A: {fields: {id: {type: str, primary_key: true}, n: 'list[int?]'}}}");
        Path json = workspace.file("m.json", """
                {"entities": {"A": {"fields": {"id": {"type": "str", "primary_key": true}, "n": "list[int?]"}}}}""");

        OntoRun ofYaml = workspace.run("schema", "export", "--models", yaml.toString(), "--with-hash");
        OntoRun ofJson = workspace.run("schema", "export", "--models", json.toString(), "--with-hash");

        assertThat(ofJson).isEqualTo(ofYaml).returns(0, OntoRun::exitCode);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "id: strng                                  | field 'id': 'strng' is no type: 'strng' is unknown",
                "id: list[int                               | a ']' is missing",
                "id: list[]                                 | a type is missing",
                "id: dict[int, str]                         | the keys of a dict are str",
                "id: str str                                | there is more after the type",
                "id:                                        | field 'id' has no type",
                "id: {type: str, primary: true}             | unknown option 'primary' of field 'id'",
                "id: {type: str, primary_key: maybe}        | primary_key is neither true nor false",
                "id: {type: 'str?', primary_key: true}      | 'id', is not a required str",
                "id: {type: int, primary_key: true}         | 'id', is not a required str",
                "id: {type: str, primary_key: true, default: x} | 'id', is not a required str",
                "id: str                                    | entity 'A' has no primary key",
                "id: {}                                     | the map of field 'id' has no fields",
                "id: [str, int]                             | a list has one type of items",
                "a-b: str                                   | invalid field name 'a-b'",
                "id: {type: int, default: x}                | invalid default of field 'id'",
                "id: {type: 'list[int]', default: [1, a]}   | invalid default of field 'id'",
                "id: {type: str, default: null}             | invalid default of field 'id'",
                "id: {type: any, default: .nan}             | '.nan' is no number that JSON can hold",
                "id: {type: {x: str}, default: {y: a}}      | invalid default of field 'id'",
                "{id: str, id: int}                         | 'id' is given twice",
            })
    void a_wrong_field_is_refused_with_file_line_and_reason(String field, String reason) {
        Path model = workspace.file("m.yaml", "entities:\n  A:\n    fields:\n      " + field + "\n");

        OntoRun run =
                workspace.run("schema", "export", "--models", model.toString()).failedWith(2);

        assertThat(run.err()).contains(model.toString(), reason).containsPattern("line [2345]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "R: {left: A, right: B}                                         | relation 'R' joins the unknown entity 'B'",
                "R: {left: A}                                                   | relation 'R' has no right end",
                "R: {left: A, right: [A]}                                       | a name belongs here",
                "R: {left: A, right: A, key: x}                                 | unknown part 'key' of type 'R'",
                "R: {left: A, right: A, fields: {left_key: str}}                | 'left_key' cannot be a field",
                "R: {left: A, right: A, fields: {x: {type: str, primary_key: true}}} | relation 'R' cannot have a primary key",
                "R: {left: A, right: A, instance_key: x}                        | the instance key 'x' of relation 'R' is not one of its fields",
                "R: {left: A, right: A, instance_key: x, fields: {x: int}}      | 'x', is not a required str",
                "R: {left: A, right: A, instance_key: x, fields: {x: {type: str, default: a}}} | 'x', is not a required str",
                "'R 1': {left: A, right: A}                                     | invalid type name 'R 1'",
                "R: 7                                                           | a mapping of names to values belongs here",
                "{R: {left: A, right: A}, R: {left: A, right: A}}               | 'R' is given twice",
            })
    void a_wrong_relation_is_refused_with_file_line_and_reason(String relation, String reason) {
        Path model = workspace.file(
                "m.yaml",
                "entities:\n  A: {fields: {id: {type: str, primary_key: true}}}\nrelations:\n  " + relation + "\n");

        OntoRun run =
                workspace.run("schema", "export", "--models", model.toString()).failedWith(2);

        assertThat(run.err()).contains("line 4", reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "types: {}      | unknown section 'types'",
                "entities: {}   | it declares no types",
                "# nothing      | it declares no types",
                "- a            | a mapping of names to values belongs here",
                "entities: [    | line 2",
                "a: &x {b: *y}  | line 1",
            })
    void a_wrong_file_is_refused(String text, String reason) {
        Path model = workspace.file("m.yaml", text + "\n");

        OntoRun run =
                workspace.run("schema", "export", "--models", model.toString()).failedWith(2);

        assertThat(run.err()).contains(model.toString(), reason);
    }

    @Test
    void all_problems_are_listed_at_once() {
        Path model = workspace.file("m.yaml", """
                entities:
                  A:
                    fields: {id: {type: str, primary_key: true}, n: integer}
                  B:
                    fields: {id: str}
                relations:
                  R: {left: A, right: C}
                """);

        OntoRun text =
                workspace.run("schema", "export", "--models", model.toString()).failedWith(2);
        OntoRun json = workspace.run("schema", "export", "--models", model.toString(), "--json");

        assertThat(text.err())
                .contains(
                        "m.yaml has 3 problems",
                        "line 3: field 'n': 'integer' is no type",
                        "line 4: entity 'B' has no primary key",
                        "line 7: relation 'R' joins the unknown entity 'C'");
        assertThat(json.at("error", "details", "problems", 0, "line")).isEqualTo(3L);
        assertThat(json.at("error", "details", "problems", 1, "line")).isEqualTo(4L);
        assertThat(json.at("error", "details", "problems", 2, "line")).isEqualTo(7L);
    }

    @Test
    void a_type_that_contains_itself_by_an_anchor_is_refused() {
        Path model = workspace.file("m.yaml", """
                entities:
                  A:
                    fields:
                      id: {type: str, primary_key: true}
                      tree: &t {name: str, child: *t}
                """);

        OntoRun run =
                workspace.run("schema", "export", "--models", model.toString()).failedWith(2);

        assertThat(run.err()).contains("nests too deep");
    }

    @Test
    void a_missing_file_that_looks_like_a_package_points_to_the_class_path() {
        OntoRun file =
                workspace.run("schema", "export", "--models", "nope.yaml").failedWith(2);
        OntoRun name = workspace
                .run("schema", "export", "--models", "com.example.model")
                .failedWith(2);

        assertThat(file.err()).contains("cannot read the model file nope.yaml: there is no such file");
        assertThat(name.err()).contains("add --classpath", "com.example.model");
    }
}
