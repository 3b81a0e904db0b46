using System.Text;
using CamCube.Services.Camdoop.Assemblies;
using CamCube.Services.Camdoop.Lines;
using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Tasks;
using CamCube.Services.Camdoop.Tests.Service;

namespace CamCube.Services.Camdoop.Tests.Assemblies;

/// <summary>What functions in C# cost: nothing is allocated per record.</summary>
public sealed class FunctionCostTests
{
    private static readonly JobDescription Description = FunctionJobTests.CountOf("/in", "/out", 4);

    private static FunctionSet Functions =>
        new(
            new JobFunctions(new FunctionTerms(new Dictionary<string, string> { ["FROM"] = "m" }, 4))
            {
                Mapper = typeof(TestFunctions.Words),
                Combiner = typeof(TestFunctions.Sum),
                Reducer = typeof(TestFunctions.Sum),
                Partitioner = typeof(TestFunctions.ByLetter),
            },
            TimeSpan.FromMinutes(1),
            isOrdered: false,
            isStuck: false
        );

    /// <summary>What is allocated for records is so each time; what the runtime does for itself, as when it gives
    /// pooled memory back under load, is not.</summary>
    [Fact]
    public void A_record_that_is_mapped_and_partitioned_allocates_nothing() =>
        Assert.Equal(0, Enumerable.Range(0, 4).Min(static _ => MapAllocates()));

    private static long MapAllocates()
    {
        FunctionSet functions = Functions;
        var record = new JobRecord(Description, 0, 32 << 20, 8 << 10);
        var job = new Job(1, record, new PlanRecord([]), new TorusShape(3, 3, 3));
        using var sink = new RecombiningSink(job, functions);
        var map = new FunctionMap(functions, sink, job.Limits, RecordEnd.LineFeed, new TaskCounters());
        byte[] text = Encoding.UTF8.GetBytes(CamdoopCube.TextOf(1, 10_000));
        for (int i = 0; i < 4; i++)
        {
            map.Add(text);
            Assert.Null(map.Run());
        }

        // What it has grown to stays.
        sink.Complete();
        Assert.True(sink.ToRun().Bytes.Length > 0);
        long before = GC.GetAllocatedBytesForCurrentThread();
        map.Add(text);
        string? wrong = map.Run();
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.Null(wrong);
        Assert.Equal((50_000, 0), (sink.Pairs, map.Left));
        return allocated;
    }

    [Fact]
    public void A_pair_that_is_reduced_allocates_nothing()
    {
        var reduce = new FunctionReduce(Functions, "\t", 1 << 20, new TaskCounters());
        byte[] key = new byte[8];
        Fill(reduce, key);
        long before = GC.GetAllocatedBytesForCurrentThread();
        string? wrong = Fill(reduce, key);
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.Equal((null, 0), (wrong, allocated));
    }

    [Fact]
    public void A_value_that_is_combined_allocates_nothing()
    {
        FunctionSet functions = Functions;
        byte[] result = new byte[100];
        Assert.Equal(2, functions.Combine("key"u8, "7"u8, "8"u8, result));
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 1_000; i++)
        {
            functions.Combine("key"u8, "7"u8, "8"u8, result);
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    private static string? Fill(FunctionReduce reduce, byte[] key)
    {
        for (int i = 0; i < 1_000; i++)
        {
            key[i % key.Length]++;
            reduce.Add(key, "5"u8, isNew: true);
            reduce.Add(key, "6"u8, isNew: false);
        }

        string? wrong = reduce.Run(isOver: false);
        reduce.Clear();
        return wrong;
    }
}
