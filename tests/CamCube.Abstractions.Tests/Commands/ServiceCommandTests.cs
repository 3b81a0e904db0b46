using System.ComponentModel;
using System.ComponentModel.DataAnnotations;
using System.Text;
using System.Text.Json;

namespace CamCube.Abstractions.Tests.Commands;

/// <summary>Arguments, bodies and results of commands, without a server.</summary>
public sealed class ServiceCommandTests
{
    private static readonly ServiceCommand Command = ServiceCommand.Of<Arguments, Arguments>(
        "do",
        "Does it.",
        static (a, _) => new(a)
    );

    [Fact]
    public async Task Every_type_of_argument_is_read_and_what_is_not_given_has_its_default()
    {
        CommandResult all = await RunAsync(
            ("to", "1,2,3; 4,5,6"),
            ("count", "7"),
            ("mode", "SLOW"),
            ("links", " x,-y"),
            ("for", "1.5s"),
            ("size", "64KiB"),
            ("ratio", "0.25"),
            ("exact", "true"),
            ("note", "a b")
        );
        Assert.Equal(
            """
            {"to":["1,2,3","4,5,6"],"count":7,"mode":"slow","links":{"bits":9,"count":2,"isEmpty":false,"first":"+x"},
            "for":"00:00:01.5000000","size":65536,"ratio":0.25,"exact":true,"note":"a b"}
            """.ReplaceLineEndings(""),
            all.Text
        );
        CommandResult least = await RunAsync(("to", "0,0,0"));
        Assert.Equal(
            """{"to":["0,0,0"],"count":4,"mode":"quick","for":"00:00:01","size":1024,"""
                + "\"ratio\":0,\"exact\":false,\"note\":\"\"}",
            least.Text
        );
    }

    [Fact]
    public async Task All_mistakes_are_said_at_once()
    {
        CommandResult result = await RunAsync(
            ("cuont", "1"),
            ("links", "+x,up"),
            ("mode", "3"),
            ("size", "64MB"),
            ("for", "2h"),
            ("exact", "yes"),
            ("ratio", "x"),
            ("count", "1"),
            ("count", "2"),
            ("colour\n", "red")
        );
        Assert.Equal(CommandStatus.Refused, result.Status);
        Assert.Equal(
            "cuont is no argument of do; did you mean count? links=+x,up: allowed are +x, -x, +y, -y, +z, -z, "
                + "with commas between them. "
                + "mode=3: allowed are Quick, Slow. size=64MB: allowed is a whole number, also with KiB, MiB, "
                + "GiB or TiB after it. "
                + "for=2h: allowed is 1 ms to 60 min. exact=yes: allowed are true and false. ratio=x: "
                + "allowed is a number as in 1 or 0.5. "
                + "colour  is no argument of do; there are to, count, mode, links, for, size, ratio, exact, note. "
                + "to is missing (whom to ask). count is given 2 times.",
            result.Text
        );
    }

    [Theory]
    [InlineData("to", "")]
    [InlineData("to", ";;")]
    [InlineData("to", "0,0,0;1,1")]
    [InlineData("to", "0,0,0;0,0,0;0,0,0;0,0,0")]
    [InlineData("count", "-1")]
    [InlineData("count", "11")]
    [InlineData("count", "1e1")]
    [InlineData("count", "99999999999999999999")]
    [InlineData("for", "1")]
    [InlineData("ratio", "NaN")]
    [InlineData("size", "9999999TiB")]
    public async Task A_value_that_cannot_be_is_named(string name, string value)
    {
        CommandResult result = await (
            name == "to" ? RunAsync((name, value)) : RunAsync(("to", "0,0,0"), (name, value))
        );
        Assert.Equal(CommandStatus.Refused, result.Status);
        Assert.StartsWith($"{name}={value}: ", result.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_megabyte_of_an_argument_and_ten_thousand_of_them_are_refused_in_a_short_line()
    {
        CommandResult megabyte = await RunAsync(("to", new string('9', 1 << 20)), (new string('n', 1 << 20), "1"));
        Assert.StartsWith(
            "to has 1,048,576 characters; at most 4,096 are allowed. nnnn",
            megabyte.Text,
            StringComparison.Ordinal
        );
        Assert.InRange(megabyte.Text.Length, 100, 1_000);

        CommandResult many = await RunAsync([.. Enumerable.Range(0, 10_000).Select(i => ($"argument-{i}", "1"))]);
        Assert.EndsWith(" And 9,981 more mistakes.", many.Text, StringComparison.Ordinal);
        Assert.InRange(many.Text.Length, 100, 5_000);
    }

    [Fact]
    public void Arguments_are_described()
    {
        Assert.Equal(
            [
                new CommandArgument("to", "up to 3 of coordinate x,y,z, with ; between", true, null, "whom to ask"),
                new CommandArgument("count", "whole number, 1 to 10", false, "4", ""),
                new CommandArgument("mode", "quick | slow", false, "quick", ""),
                new CommandArgument("links", "links as in +x,-y", false, null, ""),
                new CommandArgument("for", "duration as in 200ms, 1 ms to 60 min", false, "1s", ""),
                new CommandArgument("size", "whole number, also as in 64MiB", false, "1024", ""),
                new CommandArgument("ratio", "number", false, "0", ""),
                new CommandArgument("exact", "true or false", false, "false", ""),
                new CommandArgument("note", "text", false, null, ""),
            ],
            Command.Arguments
        );
    }

    [Fact]
    public async Task A_body_is_read_where_it_is_wanted_and_refused_elsewhere()
    {
        ServiceCommand command = ServiceCommand.Of<CommandResult>(
            "take",
            "Takes it.",
            static context =>
                new(
                    context.TryReadJson(out Order? order, out CommandResult? refusal)
                        ? CommandResult.Of(order)
                        : refusal
                ),
            takesBody: true
        );
        Assert.Equal(
            """{"what":"tea","where":"1,2,3"}""",
            (await SendAsync(command, """{"What":"tea","where":"1,2,3"}""")).Text
        );
        Assert.Equal("take wants a body: JSON.", (await SendAsync(command, "")).Text);
        foreach (
            string wrong in (string[])
                ["{", "null", "[]", """{"what":3}""", """{"where":"far"}""", "\u0001", """{"what":"tea"} and more"""]
        )
        {
            CommandResult refused = await SendAsync(command, wrong);
            Assert.Equal(CommandStatus.Refused, refused.Status);
            Assert.StartsWith("The body is not the JSON that take wants: ", refused.Text, StringComparison.Ordinal);
        }

        Assert.Equal(
            "to is missing (whom to ask). do takes no body; 2 bytes came with it.".Split(". ").Order(),
            (await SendAsync(Command, "{}")).Text.Split(". ").Order()
        );
    }

    [Fact]
    public async Task Results_are_json_or_bytes()
    {
        Assert.Equal("{}", (await Answer<string?>(null)).Text);
        Assert.Equal("\"a+b\"", (await Answer("a+b")).Text);
        Assert.Equal("""{"link":"-z"}""", (await Answer(new { Link = Link.ZMinus, None = (string?)null })).Text);
        CommandResult bytes = await Answer(new byte[] { 1, 2 });
        Assert.Equal(("application/octet-stream", 2), (bytes.ContentType, bytes.Body.Length));
        Assert.Equal("no", (await Answer(CommandResult.Refused("no"))).Text);
    }

    [Theory]
    [InlineData("")]
    [InlineData("Do")]
    [InlineData("do it")]
    [InlineData("do\n")]
    [InlineData("start")]
    [InlineData("commands")]
    public void A_name_that_no_path_can_have_is_refused(string name) =>
        Assert.Throws<ArgumentException>(() => ServiceCommand.Of<string>(name, "Does it.", static _ => new("")));

    [Fact]
    public void An_argument_that_is_not_read_from_text_is_refused_when_the_command_is_made()
    {
        ArgumentException e = Assert.Throws<ArgumentException>(() =>
            ServiceCommand.Of<Stranger, string>("do", "Does it.", static (_, _) => new(""))
        );
        Assert.Equal("Stranger.inner cannot be an argument of a command: Order is not read from text.", e.Message);
    }

    private static ValueTask<CommandResult> Answer<T>(T value) =>
        ServiceCommand.Of("answer", "Answers.", _ => new ValueTask<T>(value)).RunAsync(CommandCall.Of("", "answer"));

    private static ValueTask<CommandResult> RunAsync(params (string Name, string Text)[] arguments) =>
        Command.RunAsync(CommandCall.Of("", "do", arguments));

    private static ValueTask<CommandResult> SendAsync(ServiceCommand command, string body) =>
        command.RunAsync(new CommandCall("", command.Name) { Body = Encoding.UTF8.GetBytes(body) });

    private enum Mode
    {
        Quick,
        Slow,
    }

    private sealed record Arguments(
        [Description("whom to ask"), MaxLength(3)] Coordinate[] To,
        [Range(1, 10)] int Count = 4,
        Mode Mode = Mode.Quick,
        LinkSet? Links = null
    )
    {
        [Range(typeof(TimeSpan), "00:00:00.001", "01:00:00")]
        public TimeSpan For { get; init; } = TimeSpan.FromSeconds(1);

        public long Size { get; init; } = 1_024;

        public double Ratio { get; init; }

        public bool Exact { get; init; }

        public string Note { get; init; } = "";
    }

    private sealed record Order(string What, Coordinate Where);

    private sealed record Stranger(Order Inner);

    [Fact]
    public void An_answer_is_read_as_what_it_was_and_what_is_none_says_what_it_is()
    {
        var answer = new Seen(new Coordinate(1, 2, 3), "zäh", [Link.XMinus], null);
        Assert.Equivalent(answer, CommandResult.Of(answer).Read<Seen>());
        Assert.Equal(7, CommandResult.Json("7"u8.ToArray()).Read<int>());
        Assert.All(
            (CommandResult[])
                [
                    CommandResult.Refused("no."),
                    CommandResult.Bytes("{}"u8.ToArray()),
                    CommandResult.Json("{\"place\": \"nowhere\"}"u8.ToArray()),
                    CommandResult.Json(""u8.ToArray()),
                ],
            static result =>
                Assert.StartsWith(
                    "No Seen, but ",
                    Assert.Throws<InvalidOperationException>(result.Read<Seen>).Message,
                    StringComparison.Ordinal
                )
        );
    }

    private sealed record Seen(Coordinate Place, string Words, Link[] Ways, int? Nothing);
}
