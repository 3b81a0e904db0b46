using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>Servers that begin anew with a clock that is behind what they went by before.</summary>
public sealed class RunTests
{
    private const int Keys = 24;

    [Fact]
    public void A_server_whose_clock_went_back_is_not_taken_for_its_own_past()
    {
        using var cube = new StoreCube(3, 1, 1);
        Restart(cube, [0, 1, 2], TimeSpan.FromSeconds(60));
        Change(cube, "before");
        for (int times = 0; times < 3; times++)
        {
            for (int rank = 0; rank < 3; rank++)
            {
                Restart(cube, [rank], TimeSpan.FromSeconds(-20 * times));
                Change(cube, $"{times} {rank}");
            }
        }

        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void What_it_asked_before_is_not_done_again_afterwards()
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.AwaitLed();
        RawRequest[] before =
        [
            .. Enumerable
                .Range(0, Keys)
                .Select(i => new RawRequest($"key {i}")
                {
                    Asker = i % 3,
                    Number = (ulong)i + 1,
                    Value = "before",
                }),
        ];
        Array.ForEach(before, request => request.Arrive(cube));

        // These servers are behind the run of those requests, as if they had begun anew with another clock.
        Change(cube, "after");
        Restart(cube, [0, 1, 2], TimeSpan.Zero);
        foreach (RawRequest request in before)
        {
            (request with { Attempt = 2 }).Arrive(cube);
            Assert.Equal("after", cube.Get(0, request.Key).Value);
        }

        Change(cube, "later");
        cube.Cube.AssertQuiet();
    }

    private static void Restart(StoreCube cube, int[] ranks, TimeSpan clockOffset)
    {
        foreach (int rank in ranks)
        {
            cube.Cube.Kill(cube.Cube.Shape.At(rank));
        }

        foreach (int rank in ranks)
        {
            cube.Cube.Cube.SetClock(rank, clockOffset);
            cube.Cube.Revive(cube.Cube.Shape.At(rank));
        }

        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
    }

    private static void Change(StoreCube cube, string value)
    {
        for (int rank = 0; rank < 3; rank++)
        {
            for (int key = 0; key < Keys; key++)
            {
                Assert.Equal(Done, cube.Put(rank, $"key {key}", $"{value} by {rank}").Status);
            }

            Assert.Equal(Done, cube.Delete(rank, "key 0").Status);
            Assert.Equal(NotFound, cube.Delete(rank, "key 0").Status);
        }

        Assert.Equal(Done, cube.Put(0, "key 0", value).Status);
        for (int key = 0; key < Keys; key++)
        {
            Assert.Equal(Done, cube.Put(2, $"key {key}", value).Status);
        }
    }
}
