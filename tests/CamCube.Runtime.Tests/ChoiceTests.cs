using System.Numerics;

namespace CamCube.Runtime.Tests;

/// <summary>Which of several idle links a packet takes: all equally often, whatever the set and whatever the pattern of
/// the traffic.</summary>
public sealed class ChoiceTests
{
    private const int Packets = 6_000;

    private readonly Script _script = new();

    public static TheoryData<int> Periods => [1, 2, 3, 4];

    [Theory]
    [MemberData(nameof(Periods))]
    public void Every_set_of_idle_links_is_used_evenly_also_by_each_kind_of_traffic_that_alternates(int kinds)
    {
        using var server = new BareServer(new TorusShape(3, 3, 3), 0, _script.Define());
        for (int set = 1; set < 1 << Links.Cables; set++)
        {
            int one = set;
            Check(server, kinds, _ => one);
        }
    }

    [Theory]
    [InlineData(0b000_011, 0b001_100, 0b110_000)]
    [InlineData(0b000_011, 0b000_011, 0b111_111)]
    [InlineData(0b000_101, 0b111_111, 0b010_010)]
    [InlineData(0b010_101, 0b101_010, 0b111_111)]
    public void Sets_that_take_turns_are_each_used_evenly(int a, int b, int c)
    {
        using var server = new BareServer(new TorusShape(3, 3, 3), 0, _script.Define());
        int[] sets = [a, b, c];
        Check(server, 3, kind => sets[kind]);
    }

    // All links are idle each time: the bare server's are never busy.
    private void Check(BareServer server, int kinds, Func<int, int> setOf)
    {
        server.Sent.Clear();
        for (int i = 0; i < Packets; i++)
        {
            int kind = i % kinds;
            Packet packet = _script[0].Rent(100 * kind);
            packet.Header<long>() = kind;
            Assert.Equal(SendResult.Accepted, _script[0].Server.SendVia(packet, new LinkSet((byte)setOf(kind))));
        }

        Assert.Equal(Packets, server.Sent.Count);
        foreach (IGrouping<int, (Link Link, byte[] Frame)> kind in server.Sent.GroupBy(s => s.Frame.Length))
        {
            int set = setOf((kind.Key - server.Sent.Min(s => s.Frame.Length)) / 100);
            double fair = (double)kind.Count() / BitOperations.PopCount((uint)set);
            foreach (Link link in LinkSet.AllCables)
            {
                int n = kind.Count(s => s.Link == link);
                bool isIn = (set >> (int)link & 1) != 0;
                Assert.True(
                    isIn ? Math.Abs(n - fair) <= 0.02 * fair : n == 0,
                    $"set {new LinkSet((byte)set)}, {kinds} kinds, frames of {kind.Key}: {n} by {link}, fair {fair:f0}"
                );
            }
        }
    }
}
