using CamCube.FrontEnds.Settings;

namespace CamCube.FrontEnds.Tests;

/// <summary>Protocols that break their contract: each costs its own client and nobody else, and is counted and
/// named.</summary>
public sealed class AbuseTests
{
    public const int MaxAnswer = 1 << 20;

    public static readonly TheoryData<bool, string, string> Mistakes = Each(
        ("throw\n", "It throws."),
        ("idle\n", "It neither consumes nor writes anything, and wants to go on."),
        ("too far\n", "It says that it has consumed 9 of 8 bytes."),
        ("backwards\n", "It says that it has consumed -1 of 10 bytes."),
        ("room\n", "It waits for a question to end, and none is in work."),
        ("much\n", $"Its answer is longer than {MaxAnswer} bytes."),
        ("wait a\nwait b\nwait c\nwait d\nwait! e\n", "It has more than 4 questions in work.")
    );

    [Theory]
    [MemberData(nameof(Mistakes))]
    public async Task A_mistake_of_a_protocol_closes_its_client_and_is_counted_and_named(
        bool isInLoop,
        string sent,
        string named
    )
    {
        await using var bed = new LineBed(isInLoop, new ConnectionOptions());
        await bed.StartAsync(isInLoop);
        using LineClient other = await bed.ConnectAsync();
        await other.AskAsync("one\n", "one\n");
        using LineClient client = await bed.ConnectAsync();
        await client.SendAsync(sent);
        await client.ExpectEndAsync();
        await other.AskAsync("two\n", "two\n");

        using LineClient next = await bed.ConnectAsync();
        await next.AskAsync("three\n", "three\n");
        Assert.Equal(1, bed.Server.Counters.ProtocolFailures);
        string error = Assert.Single(bed.Log.Errors);
        Assert.StartsWith("5301: A lines connection failed and was closed: tcp:127.0.0.1:", error);
        Assert.EndsWith(named, error);
        Assert.Empty(bed.Faults);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_protocol_that_wants_more_and_more_gets_what_may_be_kept_and_no_more(bool isInLoop)
    {
        await using var bed = new LineBed(isInLoop, new ConnectionOptions(), maxUnread: 4096);
        await bed.StartAsync(isInLoop);
        using LineClient other = await bed.ConnectAsync(),
            client = await bed.ConnectAsync();
        await client.AskAsync("hello\n", "hello\n");
        await client.SendAsync(new string('x', 4096));
        await other.AskAsync("one\n", "one\n");
        Assert.Equal(2, bed.Server.Connections.Count);
        await client.SendAsync("y");
        await client.ExpectEndAsync();
        await other.AskAsync("two\n", "two\n");
        Assert.EndsWith("It has left 4097 bytes unconsumed and wants more.", Assert.Single(bed.Log.Errors));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Answers_come_in_the_order_of_the_questions_and_no_more_is_read_than_the_window_holds(
        bool isInLoop
    )
    {
        await using var bed = new LineBed(isInLoop, new ConnectionOptions());
        await bed.StartAsync(isInLoop);
        using LineClient client = await bed.ConnectAsync(),
            other = await bed.ConnectAsync();
        await client.SendAsync("wait 1\nwait 2\nwait 3\nwait 4\nwait 5\nwait last\n");
        bed.WaitFor("wait last").SetResult(0);
        bed.WaitFor("wait 4").SetResult(0);
        bed.WaitFor("wait 3").SetResult(0);
        bed.WaitFor("wait 2").SetResult(0);
        await other.AskAsync("one\n", "one\n");
        bed.WaitFor("wait 1").SetResult(0);
        const string First = "wait 1\nwait 2\nwait 3\nwait 4\n";
        Assert.Equal(First, await client.ReceiveAsync(First.Length));
        bed.WaitFor("wait 5").SetResult(0);
        const string Rest = "wait 5\nwait last\n";
        Assert.Equal(Rest, await client.ReceiveAsync(Rest.Length));
        Assert.Empty(bed.Log.Errors);
        Assert.Equal(0, bed.Server.Counters.ProtocolFailures);
    }

    [Fact]
    public async Task What_the_service_throws_is_the_services_and_its_client_goes()
    {
        await using var bed = new LineBed(isInLoop: true, new ConnectionOptions());
        await bed.StartAsync(isInLoop: true);
        using LineClient client = await bed.ConnectAsync(),
            other = await bed.ConnectAsync();
        await other.AskAsync("one\n", "one\n");
        await client.SendAsync("break\n");
        await client.ExpectEndAsync();
        await other.AskAsync("two\n", "two\n");
        Assert.Equal(["quiet: It breaks."], bed.Faults);
        Assert.Equal(0, bed.Server.Counters.ProtocolFailures);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task The_client_after_the_last_is_told_and_closed(bool isInLoop)
    {
        await using var bed = new LineBed(isInLoop, new ConnectionOptions { MaxConnections = 1 });
        await bed.StartAsync(isInLoop);
        using LineClient client = await bed.ConnectAsync();
        await client.AskAsync("one\n", "one\n");
        using LineClient second = await bed.ConnectAsync();
        Assert.Equal("full\n", await second.ReceiveAsync(5));
        await second.ExpectEndAsync();
        await client.AskAsync("quit\n", "");
        await client.ExpectEndAsync();
    }

    private static TheoryData<bool, string, string> Each(params (string Sent, string Named)[] mistakes)
    {
        var data = new TheoryData<bool, string, string>();
        foreach ((string sent, string named) in mistakes)
        {
            data.Add(true, sent, named);
            data.Add(false, sent, named);
        }

        return data;
    }
}
