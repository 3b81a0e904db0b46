using CamCube.Services.KeyValue.Wire;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>Changes that are refused although other attempts of them are on their way.</summary>
public sealed class RefusalTests
{
    [Fact]
    public void What_had_to_be_asked_again_is_refused_for_certain()
    {
        using var cube = new StoreCube(4, 1, 1);
        cube.AwaitLed();
        for (int away = 1; away < 4; away++)
        {
            cube.Cube.Kill(cube.Cube.Shape.At(away));
            for (int key = 0; key < 24; key++)
            {
                Assert.Equal(NotFound, cube.Delete(0, $"key {key}").Status);
                Assert.Equal(Conflict, cube.Put(0, $"key {key}", "no", KeyValueCondition.Present).Status);
            }

            cube.Cube.Revive(cube.Cube.Shape.At(away));
            cube.Cube.AwaitConverged();
            cube.AwaitSettled();
        }

        cube.Cube.AssertQuiet();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void An_attempt_that_comes_late_is_refused_by_whoever_leads_then(bool powerFails)
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.AwaitLed();
        RawRequest[] crowd =
        [
            .. Enumerable
                .Range(0, 20)
                .Select(i => new RawRequest($"key {i}")
                {
                    Type = i % 2 == 0 ? RequestType.Put : RequestType.Delete,
                    Condition = i % 2 == 0 ? KeyValueCondition.Present : default,
                    Value = "late",
                    Asker = 2 * (i % 2),
                    Number = (ulong)i + 1,
                    Attempt = 2,
                }),
        ];
        foreach (RawRequest request in crowd)
        {
            request.Arrive(cube);
        }

        foreach (RawRequest request in crowd)
        {
            Assert.Equal(Done, cube.Put(1, request.Key, "there").Status);
        }

        for (int failing = 0; failing < 3; failing++)
        {
            Check(cube, crowd);
            for (int rank = 0; rank < 3; rank++)
            {
                if (powerFails || rank == failing)
                {
                    cube.Cube.Kill(cube.Cube.Shape.At(rank));
                }
            }

            if (!powerFails)
            {
                Check(cube, crowd);
            }

            for (int rank = 0; rank < 3; rank++)
            {
                if (!cube.Cube[rank].IsRunning)
                {
                    cube.Cube.Revive(cube.Cube.Shape.At(rank));
                }
            }

            cube.Cube.AwaitConverged();
            cube.AwaitSettled();
        }

        Check(cube, crowd);
        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void It_names_no_version_and_moves_none()
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.AwaitLed();
        KeyValueAnswer first = cube.Put(1, "key", "there");
        new RawRequest("key") { Condition = KeyValueCondition.Absent, Attempt = 2 }.Arrive(cube);
        (KeyValueAnswer answer, string value) = cube.Get(0, "key");
        Assert.Equal((Done, first.Version, "there"), (answer.Status, answer.Version, value));

        // Who waits for another version waits on.
        ValueTask<KeyValueAnswer> wait = cube[1]
            .WaitAsync(KeyValueKey.Of("key"), first.Version, TimeSpan.FromMilliseconds(500));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(50));
        new RawRequest("key")
        {
            Condition = KeyValueCondition.Absent,
            Attempt = 3,
            Number = 2,
        }.Arrive(cube);
        Assert.Equal(Conflict, cube.Cube.Await(wait).Status);
        Assert.Equal(Done, cube.Put(1, "key", "again", KeyValueCondition.Is(first.Version)).Status);
        cube.Cube.AssertQuiet();
    }

    private static void Check(StoreCube cube, RawRequest[] crowd)
    {
        int asked = Array.FindIndex([0, 1, 2], rank => cube.Cube[rank].IsRunning);
        foreach (RawRequest request in crowd)
        {
            (request with { Attempt = 1 }).Arrive(cube);
            (request with { Attempt = 3 }).Arrive(cube);
            Assert.Equal((Done, "there"), (cube.Get(asked, request.Key) is var (answer, got) ? answer.Status : 0, got));
        }
    }
}
