using CamCube.Testing;

namespace CamCube.Runtime.Tests;

/// <summary>Deficit round-robin on one link: shares in bytes follow the weights, whatever the sizes of the
/// frames.</summary>
public sealed class FairnessTests
{
    private const int Milliseconds = 200;
    private static readonly Coordinate There = new(1, 0, 0);
    private static readonly int[] Sizes = [100, 1_500, 9_000];

    public static TheoryData<int, int[], bool> Table
    {
        get
        {
            var rows = new TheoryData<int, int[], bool>();
            foreach (int services in (int[])[1, 2, 8])
            {
                foreach (
                    int[] weights in (int[][])
                        [
                            [1, 1, 1],
                            [1, 2, 4],
                        ]
                )
                {
                    rows.Add(services, weights, false);
                    rows.Add(services, weights, true);
                }
            }

            return rows;
        }
    }

    [Theory]
    [MemberData(nameof(Table))]
    public void Shares_in_bytes_are_within_five_percent_of_the_weights(int services, int[] weights, bool polled)
    {
        for (int rotate = 0; rotate < 3; rotate++)
        {
            var senders = Enumerable
                .Range(0, services)
                .Select(i => new Sender(Sizes[(i + rotate) % 3], weights[i % 3], polled))
                .ToList();
            using TestCube cube = Cube(senders);
            cube.Advance(TimeSpan.FromMilliseconds(Milliseconds));
            double total = senders.Sum(s => s.Received),
                weight = senders.Sum(s => s.Weight);
            Assert.True(total > 0.97 * Milliseconds * 125_000, $"{total} bytes in {Milliseconds} ms");
            foreach (Sender s in senders)
            {
                double share = s.Received / total,
                    fair = s.Weight / weight;
                Assert.True(
                    Math.Abs(share - fair) < 0.05 * fair,
                    $"frames of {s.Size}, weight {s.Weight}: {share:f4}, fair {fair:f4}"
                );
            }
        }
    }

    [Fact]
    public void Queues_and_sources_share_a_link_fairly()
    {
        Sender[] senders = [new(100, 1, polled: true), new(9_000, 1, polled: false), new(1_500, 2, polled: true)];
        using TestCube cube = Cube(senders);
        cube.Advance(TimeSpan.FromMilliseconds(Milliseconds));
        AssertShares(senders, 1, 1, 2);
    }

    [Fact]
    public void A_lower_class_is_served_strictly_first()
    {
        Sender[] senders =
        [
            new(1_500, 1, polled: false, priority: 2),
            new(100, 1, polled: false, priority: 1),
            new(9_000, 100, polled: true, priority: 7),
        ];
        using TestCube cube = Cube(senders);
        cube.Advance(TimeSpan.FromMilliseconds(Milliseconds));
        Assert.True(senders[1].Received > 0.97 * Milliseconds * 125_000);
        Assert.True(senders[0].Received < 2_000 * 10, $"{senders[0].Received}");
        Assert.True(senders[2].Received < 2_000 * 10, $"{senders[2].Received}");

        senders[1].IsPaused = true;
        cube.Advance(TimeSpan.FromMilliseconds(Milliseconds));
        Assert.True(senders[0].Received > 0.9 * Milliseconds * 125_000, $"{senders[0].Received}");
        Assert.True(senders[2].Received < 2_000 * 10, $"{senders[2].Received}");
    }

    [Theory]
    [InlineData(100)]
    [InlineData(1_500)]
    [InlineData(9_000)]
    public void A_class_that_is_interrupted_again_and_again_by_a_lower_one_keeps_its_turns(int size)
    {
        Sender[] senders =
        [
            new(100, 1, polled: false, priority: 1) { Window = 1 },
            new(size, 1, polled: false, priority: 2),
            new(1_500, 2, polled: false, priority: 2),
            new(size, 1, polled: true, priority: 2),
        ];
        using TestCube cube = Cube(senders);
        ServerTimer timer = null!;
        senders[0].IsPaused = true;
        timer = senders[0]
            .At0.Server.CreateTimer(() =>
            {
                senders[0].SendOne();
                timer.Arm(TimeSpan.FromMicroseconds(5));
            });
        timer.Arm(TimeSpan.Zero);
        cube.Advance(TimeSpan.FromMilliseconds(Milliseconds));
        AssertShares(senders[1..], 1, 2, 1);
    }

    [Fact]
    public void Credit_is_not_saved_while_idle()
    {
        Sender[] senders = [new(1_500, 1, polled: false), new(1_500, 1, polled: false)];
        using TestCube cube = Cube(senders);
        senders[1].IsPaused = true;
        cube.Advance(TimeSpan.FromMilliseconds(Milliseconds));
        (senders[0].Received, senders[1].Received) = (0, 0);
        senders[1].IsPaused = false;
        senders[1].Fill();
        cube.Advance(TimeSpan.FromMilliseconds(10));
        AssertShares(senders, 1, 1);
    }

    [Fact]
    public void A_source_that_never_has_anything_is_asked_once_per_declaration()
    {
        Sender[] senders = [new(1_500, 1, polled: false), new(1_500, 1, polled: true) { IsPaused = true }];
        using TestCube cube = Cube(senders);
        cube.Advance(TimeSpan.FromMilliseconds(50));
        Assert.InRange(senders[1].At0.Polls, 1, 6);
        Assert.True(senders[1].Turn!.Ready.IsEmpty, senders[1].Turn!.Ready.ToString());
        int before = senders[1].At0.Polls;
        senders[1].Turn!.Ready = Link.XPlus;
        cube.Advance(TimeSpan.FromMilliseconds(50));
        Assert.Equal(before + 1, senders[1].At0.Polls);
        Assert.True(senders[0].Received > 0.97 * 100 * 125_000);
    }

    [Fact]
    public void A_source_that_declares_itself_ready_inside_an_empty_poll_does_not_stop_the_link_or_the_clock()
    {
        Sender[] senders = [new(1_500, 1, polled: false), new(1_500, 1, polled: true)];
        using TestCube cube = Cube(senders);
        senders[1].At0.Poll = link =>
        {
            senders[1].Turn!.Ready |= link;
            return null;
        };
        cube.Advance(TimeSpan.FromMilliseconds(20));
        Assert.True(senders[0].Received > 0.9 * 20 * 125_000, $"{senders[0].Received}");
        Assert.True(senders[1].At0.Polls < 20_000, $"{senders[1].At0.Polls} polls");
    }

    private static void AssertShares(Sender[] senders, params double[] weights)
    {
        double total = senders.Sum(s => s.Received),
            sum = weights.Sum();
        for (int i = 0; i < senders.Length; i++)
        {
            double share = senders[i].Received / total,
                fair = weights[i] / sum;
            Assert.True(
                Math.Abs(share - fair) < 0.05 * fair,
                $"{i}: {string.Join(' ', senders.Select(s => s.Received))}: share {share:f4}, fair {fair:f4}"
            );
        }
    }

    private static TestCube Cube(IReadOnlyList<Sender> senders)
    {
        // One cable only: an axis of size 2 without parallel cables.
        var cube = new TestCube(new TorusShape(2, 1, 1, parallelCables: false));
        for (int i = 0; i < senders.Count; i++)
        {
            cube.Add(senders[i].Define((ushort)(0x0300 + i)));
        }

        _ = cube.Cube;
        foreach (Sender sender in senders)
        {
            sender.Begin(There);
        }

        return cube;
    }
}
