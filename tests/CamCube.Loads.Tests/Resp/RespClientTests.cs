using System.Text;
using CamCube.Loads.Resp;
using CamCube.Loads.Tests.Kit;

namespace CamCube.Loads.Tests.Resp;

public sealed class RespClientTests
{
    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Commands_go_out_together_and_answers_come_in_order()
    {
        await using var server = new RedisFake();
        using RespClient client = await RespClient.ConnectAsync(server.Endpoints[0], Cancel);
        Assert.Equal("PONG", (await client.AskAsync(Cancel, "PING")).Text);
        IReadOnlyList<RespValue> answers = await client.AskAllAsync(
            [Words("SET", "a", "é"), Words("GET", "a"), Words("GET", "b"), Words("INCR", "n"), Words("WHAT")],
            Cancel
        );
        Assert.Equal(["OK", "é", "nothing", "1", "error ERR unknown command"], answers.Select(Latin));
        Assert.True(answers[4].IsError("ERR"));
    }

    [Theory]
    [InlineData("$-2\r\n", false)]
    [InlineData("HTTP/1.1 400\r\n", false)]
    [InlineData("$5\r\nab", true)]
    [InlineData("", true)]
    [InlineData("*2\r\n+a\r\n", true)]
    public async Task A_server_that_does_not_answer_is_said_to_have_been_asked(string said, bool closes)
    {
        await using var server = new SaidServer(said, closes);
        using RespClient client = await RespClient.ConnectAsync(server.Endpoint, Cancel);
        RespException e = await Assert.ThrowsAsync<RespException>(() => client.AskAsync(Cancel, "GET", "a"));
        Assert.True(e.WasSent);
    }

    [Fact]
    public async Task A_line_that_never_ends_is_given_up()
    {
        await using var server = new SaidServer("+" + new string('a', RespReader.MostLine + 1));
        using RespClient client = await RespClient.ConnectAsync(server.Endpoint, Cancel);
        await Assert.ThrowsAsync<RespException>(() => client.AskAsync(Cancel, "GET", "a"));
    }

    [Fact]
    public async Task Nobody_there_is_said_not_to_have_been_asked()
    {
        var server = new SaidServer("");
        await server.DisposeAsync();
        RespException e = await Assert.ThrowsAsync<RespException>(() =>
            RespClient.ConnectAsync(server.Endpoint, Cancel)
        );
        Assert.False(e.WasSent);
    }

    private static byte[][] Words(params string[] words) => [.. words.Select(Encoding.UTF8.GetBytes)];

    private static string Latin(RespValue value) => value.ToString();
}
