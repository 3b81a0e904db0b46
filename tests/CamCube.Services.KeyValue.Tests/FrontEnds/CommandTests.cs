using System.Text.Json;

namespace CamCube.Services.KeyValue.Tests.FrontEnds;

/// <summary>The commands of the service, in front of a fake store.</summary>
public sealed class CommandTests
{
    [Fact]
    public async Task Values_are_bytes_and_all_else_is_JSON_with_its_status()
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        byte[] value = new byte[1 << 20];
        new Random(1).NextBytes(value);
        JsonElement put = await JsonAsync(cube, "put", value, ("key", "a"));
        Assert.Equal(("done", 3), (Text(put, "status"), put.GetProperty("copies").GetInt32()));
        Assert.True(put.GetProperty("micros").GetDouble() >= 0);
        CommandResult got = await RunAsync(cube, "get", null, ("key", "a"));
        Assert.Equal("application/octet-stream", got.ContentType);
        Assert.Equal(value, got.Body.ToArray());
        Assert.Equal(value, (await RunAsync(cube, "get", null, ("hex", "61"), ("reads", "any"))).Body.ToArray());
        Assert.Equal("notFound", Text(await JsonAsync(cube, "get", null, ("key", "b")), "status"));
        Assert.Equal("notFound", Text(await JsonAsync(cube, "get", null, ("key", "a"), ("table", "2")), "status"));
        string version = Text(put, "version");
        JsonElement again = await JsonAsync(cube, "put", [], ("key", "a"), ("ifAbsent", "true"));
        Assert.Equal(("conflict", version), (Text(again, "status"), Text(again, "version")));
        JsonElement info = await JsonAsync(cube, "info", null, ("key", "a"));
        Assert.Equal((version, 1 << 20), (Text(info, "version"), info.GetProperty("length").GetInt32()));
        JsonElement waited = await JsonAsync(
            cube,
            "wait",
            null,
            ("key", "a"),
            ("version", version),
            ("timeout", "5ms")
        );
        Assert.Equal("conflict", Text(waited, "status"));
        waited = await JsonAsync(cube, "wait", null, ("key", "a"), ("version", "1"));
        Assert.Equal(("done", version), (Text(waited, "status"), Text(waited, "version")));
        Assert.Equal(
            "done",
            Text(await JsonAsync(cube, "delete", null, ("key", "a"), ("ifVersion", version)), "status")
        );
        Assert.Equal("notFound", Text(await JsonAsync(cube, "delete", null, ("key", "a")), "status"));
    }

    [Fact]
    public async Task What_http_keeps_beside_a_value_is_its_info()
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        await cube.PutAsync("/kv/a", "1", "Content-Type: text/plain", "X-Meta-By: me");
        JsonElement info = await JsonAsync(cube, "info", null, ("key", "a"));
        Assert.Equal("text/plain", Text(info, "contentType"));
        Assert.Equal("""[{"key":"by","value":"me"}]""", info.GetProperty("metadata").GetRawText());
    }

    [Theory]
    [InlineData("key or hex is wanted, and one of them.")]
    [InlineData("key or hex is wanted, and one of them.", "key", "a", "hex", "61")]
    [InlineData("hex: two hexadecimal digits are wanted for each byte.", "hex", "6")]
    [InlineData("a key has 1 to 65,535 bytes; this one has none.", "key", "")]
    [InlineData(
        "of ifVersion, ifAbsent and ifPresent one is enough.",
        "key",
        "a",
        "ifAbsent",
        "true",
        "ifVersion",
        "3"
    )]
    public async Task Wrong_arguments_are_refused_in_words(string words, params string[] arguments)
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        CommandResult result = await RunAsync(
            cube,
            "delete",
            null,
            [.. arguments.Chunk(2).Select(pair => (pair[0], pair[1]))]
        );
        Assert.Equal((CommandStatus.Refused, words), (result.Status, result.Text));
    }

    [Fact]
    public async Task Groups_and_status_say_what_the_store_knows()
    {
        await using StoreCube cube = await StoreCube.StartAsync();
        Assert.Equal(
            """[{"group":"0/0,0,0/3","epoch":2,"members":[{"server":"0,0,0","state":"here"},"""
                + """{"server":"1,0,0","state":"here"},{"server":"2,0,0","state":"away"}],"leader":"0,0,0","""
                + "\"index\":7,\"behind\":2,\"behindBytes\":300,\"generation\":0,\"withoutMajoritySeconds\":0},"
                + """{"group":"1/0,0,0/4","epoch":0,"members":[{"server":"0,0,0","state":"here"}],"index":0,"""
                + "\"behind\":0,\"behindBytes\":0,\"generation\":0,\"withoutMajoritySeconds\":0}]",
            (await RunAsync(cube, "groups", null)).Text
        );
        Assert.Equal(
            """{"server":"0,0,0","groups":2,"led":1,"unborn":1,"leaderless":1,"withAway":1,"behind":2,"""
                + "\"withoutMajority\":0,\"withoutMajoritySeconds\":0,\"tables\":[]}",
            (await RunAsync(cube, "status", null)).Text
        );
    }

    private static string Text(JsonElement json, string name) => json.GetProperty(name).GetString()!;

    private static async Task<JsonElement> JsonAsync(
        StoreCube cube,
        string command,
        byte[]? body,
        params (string Name, string Value)[] arguments
    )
    {
        CommandResult result = await RunAsync(cube, command, body, arguments);
        Assert.Equal((CommandStatus.Done, "application/json"), (result.Status, result.ContentType));
        return JsonDocument.Parse(result.Body).RootElement;
    }

    private static Task<CommandResult> RunAsync(
        StoreCube cube,
        string command,
        byte[]? body,
        params (string Name, string Value)[] arguments
    ) =>
        cube
            .Cube.GateOf(0)
            .RunCommandAsync(CommandCall.Of("kv", command, arguments) with { Body = body ?? [] })
            .AsTask()
            .WaitAsync(StoreCube.Generous);
}
