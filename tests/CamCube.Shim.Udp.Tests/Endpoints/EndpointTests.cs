using System.Net;
using System.Net.Sockets;
using CamCube.Shim.Udp.Endpoints;

namespace CamCube.Shim.Udp.Tests.Endpoints;

public sealed class EndpointTests
{
    private const long Second = 1_000_000_000;

    [Theory]
    [InlineData("10.0.0.2:7000", "10.0.0.2", 7000)]
    [InlineData(" camcube-1.camcube:7001 ", "camcube-1.camcube", 7001)]
    [InlineData("[fd00::2]:7000", "fd00::2", 7000)]
    public void Endpoints_are_read_and_written(string text, string host, int port)
    {
        Assert.True(HostPort.TryParse(text, out HostPort endpoint));
        Assert.Equal(new HostPort(host, port), endpoint);
        Assert.Equal(text.Trim(), endpoint.ToString());
    }

    [Theory]
    [InlineData("")]
    [InlineData(":7000")]
    [InlineData("host")]
    [InlineData("host:")]
    [InlineData("host:0")]
    [InlineData("host:70000")]
    [InlineData("host:-1")]
    [InlineData("ho st:7000")]
    [InlineData("fd00::2:7000")]
    [InlineData("[fd00::2:7000")]
    [InlineData("[10.0.0.1]:7000")]
    public void Other_texts_are_no_endpoints(string text) => Assert.False(HostPort.TryParse(text, out _));

    [Theory]
    [InlineData("camcube-{rank}.camcube:7000", "camcube-7.camcube:7001")]
    [InlineData("camcube-{rank}.camcube", "camcube-7.camcube:9001")]
    [InlineData("camcube-{rank}:{port}", "camcube-7:9001")]
    [InlineData("s{x}-{y}-{Z}.lab:100", "s1-2-0.lab:101")]
    [InlineData("10.{z}.{y}.{x}:7000", "10.0.2.1:7001")]
    [InlineData("[fd00::{rank}]:7000", "[fd00::7]:7001")]
    public void A_pattern_says_where_a_server_is(string text, string expected)
    {
        Assert.Null(EndpointPattern.TryParse(text, 9_000, out EndpointPattern? pattern));
        var shape = new TorusShape(3, 3, 3);
        Assert.Equal(expected, pattern!.For(shape, shape.At(7), Link.XMinus).ToString());
        Assert.True(pattern.TellsServersApart(shape));
    }

    [Theory]
    [InlineData("")]
    [InlineData(":7000")]
    [InlineData("camcube-{rnk}:7000")]
    [InlineData("camcube-{rank}:0")]
    [InlineData("camcube-{rank}:65530")]
    [InlineData("camcube-{rank}:port")]
    [InlineData("fd00::{rank}:7000")]
    public void Other_texts_are_no_patterns(string text) =>
        Assert.NotNull(EndpointPattern.TryParse(text, 9_000, out _));

    [Theory]
    [InlineData("camcube-5", 5)]
    [InlineData("camcube-12.camcube.default.svc", 12)]
    [InlineData("node007", 7)]
    [InlineData("3", 3)]
    [InlineData("camcube", null)]
    [InlineData("camcube-x.node5", null)]
    [InlineData("camcube-99999999999", null)]
    public void The_rank_is_the_number_at_the_end_of_the_host_name(string name, int? rank)
    {
        Assert.Equal(rank is not null, HostNameRank.TryParse(name, out int found));
        Assert.Equal(rank ?? 0, found);
    }

    [Fact]
    public void A_literal_address_is_never_looked_up()
    {
        var watch = new EndpointWatch(
            new HostPort("fd00::2", 7_000),
            static _ => throw new NotSupportedException(),
            static () => { },
            true,
            true
        );
        Assert.True(watch.Step(false, 0));
        Assert.Equal(new IPEndPoint(IPAddress.Parse("fd00::2"), 7_000), watch.Address);
        Assert.False(watch.Step(true, 100 * Second));
        Assert.Equal(long.MaxValue, watch.Deadline);
    }

    [Fact]
    public void A_literal_address_that_the_socket_cannot_send_to_is_a_fault()
    {
        var watch = new EndpointWatch(
            new HostPort("fd00::2", 7_000),
            static _ => throw new NotSupportedException(),
            static () => { },
            false,
            true
        );
        Assert.False(watch.Step(false, 0));
        Assert.Null(watch.Address);
        Assert.NotNull(watch.Fault);
    }

    [Fact]
    public void A_silent_name_is_asked_again_ever_more_seldom_and_one_question_at_a_time()
    {
        int questions = 0,
            wakes = 0;
        var open = new TaskCompletionSource<IPAddress[]>();
        NameResolver resolve = _ =>
        {
            questions++;
            return questions == 1 ? open.Task : Task.FromResult<IPAddress[]>([IPAddress.Loopback]);
        };
        var watch = new EndpointWatch(
            new HostPort("a.test", 7_000),
            resolve,
            () => Interlocked.Increment(ref wakes),
            true,
            true
        );
        for (long now = 0; now < 10 * Second; now += Second / 10)
        {
            Assert.False(watch.Step(true, now));
        }

        Assert.Equal(1, questions);
        open.SetResult([IPAddress.Loopback]);
        Assert.True(watch.Step(true, 10 * Second));
        for (long now = 10 * Second; now < 70 * Second; now += Second / 10)
        {
            Assert.False(watch.Step(true, now));
        }

        Assert.InRange(questions, 12, 20);
        int before = questions;
        for (long now = 70 * Second; now < 130 * Second; now += Second / 10)
        {
            watch.Step(false, now);
        }

        Assert.Equal(before, questions);
    }

    [Fact]
    public void Of_several_addresses_each_gets_its_turn_while_nobody_answers()
    {
        IPAddress[] all = [IPAddress.Parse("10.0.0.1"), IPAddress.Parse("fd00::1"), IPAddress.Parse("10.0.0.2")];
        var watch = new EndpointWatch(
            new HostPort("a.test", 7_000),
            _ => Task.FromResult(all),
            static () => { },
            false,
            true
        );
        List<string> seen = [];
        for (long now = 0; now < 60 * Second && seen.Count < 4; now += Second / 10)
        {
            if (watch.Step(true, now))
            {
                seen.Add(watch.Address!.Address.ToString());
            }
        }

        Assert.Equal(["10.0.0.1", "10.0.0.2", "10.0.0.1", "10.0.0.2"], seen);
    }

    [Fact]
    public void A_name_without_an_answer_says_why()
    {
        Task<IPAddress[]> answer = Task.FromException<IPAddress[]>(new SocketException((int)SocketError.TryAgain));
        var watch = new EndpointWatch(new HostPort("a.test", 7_000), _ => answer, static () => { }, true, true);
        watch.Step(true, 0);
        watch.Step(true, 1);
        Assert.StartsWith("cannot be looked up", watch.Fault, StringComparison.Ordinal);
        Assert.Null(watch.Address);
        answer = Task.FromResult<IPAddress[]>([IPAddress.Loopback]);
        watch.Step(true, Second);
        Assert.True(watch.Step(true, Second + 1));
        Assert.Null(watch.Fault);
    }
}
