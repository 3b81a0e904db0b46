using CamCube.Linux;

namespace CamCube.Shim.Tests.Linux;

/// <summary>What is counted of the system's counts.</summary>
public sealed class GrowingCountTests
{
    [Fact]
    public void Only_what_is_new_counts()
    {
        var count = default(GrowingCount);
        Assert.Equal([3u, 0u, 4u], new uint?[] { 3, 3, 7 }.Select(n => count.Take(n)));
    }

    [Fact]
    public void A_question_without_an_answer_changes_nothing()
    {
        var count = default(GrowingCount);
        Assert.Equal([3u, 0u, 1u], new uint?[] { 3, null, 4 }.Select(n => count.Take(n)));
    }

    [Fact]
    public void A_count_that_was_set_back_is_not_four_billion()
    {
        var count = default(GrowingCount);
        Assert.Equal([3u, 0u, 2u], new uint?[] { 3, 0, 2 }.Select(n => count.Take(n)));
    }

    [Fact]
    public void A_count_begins_again_after_the_largest()
    {
        var count = default(GrowingCount);
        Assert.Equal(
            [int.MaxValue, int.MaxValue, 4u],
            new uint?[] { int.MaxValue, uint.MaxValue - 1, 2 }.Select(n => count.Take(n))
        );
    }
}
