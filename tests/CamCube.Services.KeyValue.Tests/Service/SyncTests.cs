using System.Text;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>How changes share the syncs of a disk.</summary>
public sealed class SyncTests
{
    private const int Changes = 60;

    [Fact]
    public void Changes_that_come_at_once_share_syncs_unless_each_is_to_have_one()
    {
        (int group, int each) = (WritesOf("sync=group"), WritesOf("sync=each"));
        Assert.InRange(group, 1, Changes / 4);

        // Others of the same run may come between.
        Assert.InRange(each, Changes, 2 * Changes);
    }

    [Fact]
    public void A_crowd_goes_on_when_a_server_fails_in_the_middle()
    {
        using StoreCube cube = Cube("sync=each");
        Task<KeyValueAnswer>[] first = Begin(cube, 1);
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
        cube.Cube.Kill(cube.Cube.Shape.At(2));
        Task<KeyValueAnswer>[] second = Begin(cube, 2);
        cube.Cube.AwaitUntil(() => first.Concat(second).All(static t => t.IsCompleted));
        cube.Cube.Revive(cube.Cube.Shape.At(2));
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        for (int i = 0; i < Changes; i++)
        {
            (KeyValueAnswer answer, string value) = cube.Get(2, $"key {i}");
            bool isDone = IsDone(second[i]);
            Assert.True(!isDone || (answer.Status, value) == (Done, $"value 2 {i}"), $"{i}: {answer} {value}");
        }

        cube.Cube.AssertQuiet();
    }

    // Batches that the disk of one server had, for changes of keys all over the cube.
    private static int WritesOf(string mode)
    {
        using StoreCube cube = Cube(mode);
        ulong before = LastBatch(cube);
        Task<KeyValueAnswer>[] all = Begin(cube, 1);
        cube.Cube.AwaitUntil(() => all.All(static t => t.IsCompleted));
        Assert.All(all, static t => Assert.True(IsDone(t)));
        return (int)(LastBatch(cube) - before);
    }

    private static bool IsDone(Task<KeyValueAnswer> ended) => ended.Result.Status == Done;

    private static ulong LastBatch(StoreCube cube) => cube.Store(1).Host.Log!.Segments.All.Max(static s => s.Last);

    private static Task<KeyValueAnswer>[] Begin(StoreCube cube, int round)
    {
        var all = new Task<KeyValueAnswer>[Changes];
        for (int i = 0; i < Changes; i++)
        {
            byte[] value = Encoding.UTF8.GetBytes($"value {round} {i}");
            all[i] = cube[i % 2].PutAsync(KeyValueKey.Of($"key {i}"), value, default).AsTask();
        }

        return all;
    }

    private static StoreCube Cube(string mode)
    {
        var cube = new StoreCube(3, 1, 1, new KeyValueOptions { Mode = mode });
        cube.AwaitLed();
        cube.AwaitSettled();
        return cube;
    }
}
