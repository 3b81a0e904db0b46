using CamCube.Testing;

namespace CamCube.Runtime.Tests;

/// <summary>A packet that is made its own answer, also where the question came from.</summary>
public sealed class TurnRoundTests
{
    private const long Question = 1;
    private const long Answer = 2;

    [Theory]
    [InlineData(VerdictKind.Forward)]
    [InlineData(VerdictKind.Via)]
    [InlineData(VerdictKind.ViaAll)]
    [InlineData(VerdictKind.Taken)]
    public void Every_server_gets_an_answer_from_every_server_itself_included(VerdictKind how)
    {
        var answers = new Dictionary<(Coordinate From, Coordinate To), int>();
        Script script = new();
        script.Packet = (Scripted self, in HopContext hop, Packet packet) =>
        {
            if (!hop.IsDestination)
            {
                return Verdict.Forward;
            }

            if (packet.Header<long>() == Answer)
            {
                (Coordinate, Coordinate) pair = (packet.Source, self.Server.Coordinate);
                answers[pair] = answers.GetValueOrDefault(pair) + 1;
                return Verdict.Consume;
            }

            packet.Header<long>() = Answer;
            packet.TurnRound(self.Server.Coordinate, self.Server.Packets.DefaultHopLimit);
            LinkSet next = self.Server.Topology.NextHops(packet.Destination);
            switch (how)
            {
                case VerdictKind.Forward:
                    return Verdict.Forward;
                case VerdictKind.Via:
                    return Verdict.Via(next);
                case VerdictKind.ViaAll:
                    return Verdict.ViaAll(next.First);
                default:
                    self.Server.Send(packet, packet.Destination);
                    return Verdict.Taken;
            }
        };
        using TestCube cube = new TestCube(3, 3, 1).Add(script.Define());
        _ = cube.Cube;
        foreach (int rank in Enumerable.Range(0, 81))
        {
            script[rank / 9].Launch(cube.Shape.At(rank % 9), number: Question);
        }

        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(81, answers.Count);
        Assert.All(answers.Values, n => Assert.Equal(1, n));
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void An_answer_that_is_forwarded_where_it_ends_is_a_bug_that_AssertQuiet_names(int to)
    {
        Script script = new()
        {
            Packet = static (Scripted self, in HopContext hop, Packet packet) =>
            {
                if (packet.Header<long>() == Question)
                {
                    packet.Header<long>() = Answer;
                    packet.TurnRound(self.Server.Coordinate, 9);
                }

                return Verdict.Forward;
            },
        };
        using TestCube cube = new TestCube(2, 1, 1).Add(script.Define());
        _ = cube.Cube;
        script[0].Launch(cube.Shape.At(to), number: Question);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(1, cube[0].DropsOf(DropReason.ForwardedAtDestination));
        string message = Assert.Throws<InvalidOperationException>(cube.AssertQuiet).Message;
        Assert.Contains("0,0,0", message, StringComparison.Ordinal);
        Assert.Contains(nameof(DropReason.ForwardedAtDestination), message, StringComparison.Ordinal);
    }
}
