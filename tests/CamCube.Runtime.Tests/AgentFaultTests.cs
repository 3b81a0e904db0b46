using System.Runtime.Versioning;
using CamCube.Linux;
using CamCube.Runtime.Loop;
using CamCube.Runtime.Services;

namespace CamCube.Runtime.Tests;

/// <summary>Agents in a server's loop that throw: their own mistakes and their service's.</summary>
[SupportedOSPlatform("linux")]
public sealed class AgentFaultTests : IDisposable
{
    private readonly Script _script = new();
    private readonly LoopAgents _loop = new();
    private readonly WakeSignal _signal = new();
    private readonly BareServer _server;

    public AgentFaultTests()
    {
        _server = new BareServer(new TorusShape(1, 1, 1), 0, _script.Define());
        _server.Context.Inbox.Agents = _loop;
    }

    public void Dispose()
    {
        _server.Dispose();
        _loop.Dispose();
        _signal.Dispose();
    }

    [Fact]
    public void An_agent_that_throws_ends_by_name_and_neither_its_service_nor_another_agent_notices()
    {
        Agent bad = Join(new Agent { Throws = static _ => throw new IOException("a socket") }),
            good = Join(new Agent());
        bad.Seat.Watch(_signal.Handle, LoopEvents.Readable, "signal");
        _signal.Set();
        _loop.Wait(0);
        good.Seat.Wake();
        Turns();
        Assert.Equal(("an agent", "a socket"), (_server.Ended.Single().Agent, _server.Ended.Single().Error.Message));
        Assert.Empty(_server.Faults);
        Assert.Equal((1, 1, 1, 0), (bad.Turns, bad.Ends, good.Turns, good.Ends));

        // No turn comes any more, and what it watched wakes nobody.
        bad.Seat.Wake();
        _loop.Wait(0);
        Turns();
        Assert.False(_loop.HasDue);
        Assert.Equal((1, 1), (bad.Turns, bad.Ends));
        good.Seat.Wake();
        Turns();
        Assert.Equal(2, good.Turns);
        Assert.NotNull(good.Service);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void What_the_service_threw_is_its_fault_if_the_agent_says_so_and_the_agent_goes_on(bool letsItOut)
    {
        Agent agent = null!;
        agent = Join(
            new Agent
            {
                Throws = turn =>
                {
                    if (turn == 1)
                    {
                        var error = new FormatException("the service's");
                        agent.Seat.Fault(error);
                        throw letsItOut ? error : new OperationCanceledException();
                    }
                },
                Catches = !letsItOut,
            }
        );
        agent.Seat.Wake();
        Turns();
        Assert.Equal("the service's", Assert.Single(_server.Faults).Message);
        Assert.Empty(_server.Ended);
        Assert.Equal(ServiceState.Faulted, _server.Server.Host.Find(new ServiceId(0x0300))!.State);
        agent.Seat.Wake();
        Turns();
        Assert.Null(agent.Service);
        Assert.Equal(0, agent.Ends);
    }

    [Fact]
    public void An_agent_that_throws_while_its_service_is_away_or_after_the_loops_end_ends_too()
    {
        Agent first = Join(new Agent { Throws = static _ => throw new FormatException() });
        Agent second = Join(new Agent { Throws = static _ => throw new FormatException(), EndThrows = true });
        _script[0].Server.Loop.Post(static _ => throw new InvalidOperationException("away"), null);
        _server.Step();
        first.Seat.Wake();
        Turns();
        Assert.Single(_server.Ended);
        Assert.Single(_server.Faults);
        _server.Context.Inbox.Close();
        second.Seat.Wake();
        Assert.Equal((2, 1), (_server.Ended.Count, second.Ends));
    }

    private void Turns()
    {
        _server.Context.Inbox.Drain();
        _loop.TurnAll(0);
    }

    private Agent Join(Agent agent)
    {
        agent.Seat = _server.Gate.TryJoin(agent)!;
        return agent;
    }

    private sealed class Agent : ILoopAgent<Scripted>
    {
        public Action<int> Throws { get; init; } = static _ => { };

        public bool Catches { get; init; }

        public bool EndThrows { get; init; }

        public ILoopSeat Seat { get; set; } = null!;

        public string Name => "an agent";

        public int Turns { get; private set; }

        public int Ends { get; private set; }

        public Scripted? Service { get; private set; }

        public long Turn(Scripted? service, ReadOnlySpan<LoopEvent> events, long nowNanos)
        {
            (Service, Turns) = (service, Turns + 1);
            try
            {
                Throws(Turns);
            }
            catch (OperationCanceledException) when (Catches)
            {
                // It goes on with its turn.
            }

            return long.MaxValue;
        }

        public void Ended()
        {
            Ends++;
            if (EndThrows)
            {
                throw new InvalidOperationException("cannot even end");
            }
        }
    }
}
