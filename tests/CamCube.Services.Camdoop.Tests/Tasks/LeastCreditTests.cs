using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Tasks;

namespace CamCube.Services.Camdoop.Tests.Tasks;

/// <summary>What an edge of a tree has for itself, and so how many reduces run at once.</summary>
public sealed class LeastCreditTests
{
    private const int MostRecord = 8 << 20;
    private const int Head = 4_096;

    [Theory]
    [InlineData(null, true, Head)]
    [InlineData(JobFunctionKind.Program, true, Head)]
    [InlineData(JobFunctionKind.Aggregate, false, Head)]
    [InlineData(JobFunctionKind.Aggregate, true, MostRecord)]
    public void Only_where_pairs_are_combined_on_the_way_an_edge_has_room_for_a_whole_one(
        JobFunctionKind? combine,
        bool onTheWay,
        int least
    )
    {
        var description = new JobDescription(["/in"], "/out")
        {
            Combine = combine is { } kind ? new JobFunction(kind) : null,
            CombinesOnTheWay = onTheWay,
        };
        var record = new JobRecord(description, 0, 1 << 20, MostRecord);
        var job = new Job(1, record, new PlanRecord([]), new TorusShape(3, 3, 3));

        Assert.Equal(least, TaskTerms.LeastCreditOf(job));
    }
}
