using CamCube.Loads.Choosing;
using CamCube.Loads.Measuring;
using CamCube.Services.KeyValue;

namespace CamCube.Experiments.KeyValues;

/// <summary>Clients at every server ask what a workload of YCSB says, of records that are on disks of flash.</summary>
internal static class YcsbExperiment
{
    /// <summary>Bytes of a record.</summary>
    public const int Length = 1_000;

    private static readonly TorusShape Shape = new(3, 3, 3);
    private static readonly TimeSpan LongestLoad = TimeSpan.FromMinutes(2),
        LongestEnd = TimeSpan.FromSeconds(20);

    /// <summary>Runs it.</summary>
    /// <param name="workload">What is asked.</param>
    /// <param name="records">Records at first.</param>
    /// <param name="clients">At each server, each with one operation at a time.</param>
    /// <param name="seed">Of the cube and the clients.</param>
    /// <param name="detectionTime">Silence after which neighbours are suspected.</param>
    /// <param name="warmUp">What does not count.</param>
    /// <param name="time">What counts.</param>
    /// <param name="tick">Called while time passes.</param>
    /// <returns>What came of operations that ended while it counted; and what failed, also while records were put.
    /// </returns>
    public static (LoadTally Counted, long Failed) Run(
        Workload workload,
        long records,
        int clients,
        ulong seed,
        TimeSpan detectionTime,
        TimeSpan warmUp,
        TimeSpan time,
        Action? tick = null
    )
    {
        using var cube = new ValueCube(Shape, seed, new KeyValueOptions(), detectionTime, hasDisk: true, tick);
        var names = new RecordNames("ycsb:", Length, seed);
        var inserted = new InsertedKeys(records);
        YcsbClient[] all =
        [
            .. Enumerable
                .Range(0, cube.Count * clients)
                .Select(i => new YcsbClient(
                    cube,
                    i % cube.Count,
                    names,
                    inserted,
                    new LoadRandom(LoadRandom.Mix(seed) + (ulong)i)
                )),
        ];
        for (int i = 0; i < all.Length; i++)
        {
            all[i].Load(i, all.Length, records);
        }

        cube.AwaitUntil(() => Array.TrueForAll(all, static one => one.HasEnded), LongestLoad);
        Array.ForEach(all, one => one.Start(workload));
        cube.Advance(warmUp);
        LoadTally before = Take(all);
        cube.Advance(time);
        LoadTally counted = Take(all);
        Array.ForEach(all, static one => one.Stop());
        cube.AwaitUntil(() => Array.TrueForAll(all, static one => one.HasEnded), LongestEnd);
        return (counted, before.Failed + counted.Failed + Take(all).Failed);
    }

    private static LoadTally Take(YcsbClient[] all)
    {
        var sum = new LoadTally();
        foreach (YcsbClient one in all)
        {
            sum.Add(one.Tally);
            one.Tally = new LoadTally();
        }

        return sum;
    }
}
