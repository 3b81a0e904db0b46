using CamCube.Shim.Udp.Sealing;

namespace CamCube.Shim.Udp.Tests.Sealing;

public sealed class ReplayWindowTests
{
    [Fact]
    public void Each_counter_of_the_window_is_taken_once_and_older_ones_never()
    {
        int seed = new Random().Next();
        var random = new Random(seed);
        for (int round = 0; round < 200; round++)
        {
            var window = new ReplayWindow();
            var taken = new HashSet<ulong>();
            ulong largest = 0,
                at = round % 4 == 0 ? ulong.MaxValue - 60_000 : (ulong)random.Next(3) * 5_000;
            for (int i = 0; i < 3_000; i++)
            {
                at += random.Next(40) switch
                {
                    0 => (ulong)random.Next(5_000),
                    1 => 2_048,
                    2 => 64,
                    _ => 1,
                };
                long back =
                    random.Next(4) == 0 ? random.Next(2_200)
                    : random.Next(3) == 0 ? random.Next(70)
                    : 0;
                ulong counter = at < (ulong)back ? 0 : at - (ulong)back;
                bool isNew =
                    (taken.Count == 0 || largest < counter + ReplayWindow.Size || counter + ReplayWindow.Size < counter)
                    && counter != ulong.MaxValue
                    && !taken.Contains(counter);
                Assert.True(
                    isNew == window.IsNew(counter),
                    $"seed {seed}, round {round}, counter {counter}, largest {largest}"
                );
                if (isNew)
                {
                    window.Take(counter);
                    taken.Add(counter);
                    largest = Math.Max(largest, counter);
                    Assert.False(window.IsNew(counter));
                }
            }
        }
    }

    [Fact]
    public void The_window_is_at_least_as_long_as_promised()
    {
        var window = new ReplayWindow();
        window.Take(5_000);
        for (ulong counter = 5_000 - 1_023; counter < 5_000; counter++)
        {
            Assert.True(window.IsNew(counter));
        }

        Assert.False(window.IsNew(5_000));
        Assert.False(window.IsNew(5_000 - ReplayWindow.Size));
        Assert.True(window.IsNew(5_000 - ReplayWindow.Size + 1));
    }
}
