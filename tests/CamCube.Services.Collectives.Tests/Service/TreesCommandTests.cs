using System.Text.Json;
using CamCube.Services.Collectives.Groups;
using CamCube.Trees;

namespace CamCube.Services.Collectives.Tests.Service;

/// <summary>The trees of a group, as people see them.</summary>
public sealed class TreesCommandTests
{
    [Fact]
    public void All_members_are_in_each_tree_and_no_link_is_in_two_of_the_long_channel()
    {
        var shape = new TorusShape(3, 3, 3);
        TreeRow[] rows = ChannelPlan.Show(shape, [.. Enumerable.Range(0, shape.Count).Select(shape.At)]);
        Assert.Equal(7 * 27, rows.Length);
        Assert.Equal(["0", "1", "2", "3", "4", "5", "short"], rows.Select(static row => row.Tree).Distinct());
        Assert.Equal(7, rows.Count(static row => row.Parent is null));
        TreeRow[] edges = [.. rows.Where(static row => row is { Tree: not "short", Parent: not null })];
        Assert.Equal(6 * 26, edges.Select(static row => (row.Server, row.Link)).Distinct().Count());
        Assert.All(edges, edge => Assert.Equal(edge.Depth, DepthOf(rows, edge.Tree, edge.Server)));
    }

    [Fact]
    public void Some_members_are_neighbours_in_the_tree_only_where_a_link_is_named()
    {
        var shape = new TorusShape(3, 3, 3);
        Coordinate[] members = [shape.At(13), shape.At(0), shape.At(14), shape.At(26)];
        TreeRow[] rows = ChannelPlan.Show(shape, members);
        Assert.Equal(7 * members.Length, rows.Length);
        Assert.All(
            rows.Where(static row => row.Link is not null),
            row => Assert.Contains(members, m => $"{m}" == row.Parent)
        );
        Assert.Contains(rows, static row => row is { Parent: not null, Link: null });
    }

    [Fact]
    public void A_server_says_it_of_a_group_that_is_open_there_and_of_no_other()
    {
        using var cube = new CollectivesCube(new TorusShape(3, 1, 1));
        CommandResult said = cube.Command(1, "trees", ("group", "all"));
        Assert.True(said.IsOk, said.Text);
        Assert.Equal(9, JsonDocument.Parse(said.Text).RootElement.GetArrayLength());
        CommandResult none = cube.Command(1, "trees", ("group", "none"));
        Assert.Equal("no group none is open here.", none.Text);
        cube.AssertQuiet();
    }

    [Fact]
    public void Each_member_is_the_root_of_a_tree_that_can_be_asked_for()
    {
        using var cube = new CollectivesCube(new TorusShape(3, 3, 1));
        for (int rank = 0; rank < 9; rank++)
        {
            CommandResult said = cube.Command(4, "trees", ("group", "all"), ("rank", $"{rank}"));
            Assert.True(said.IsOk, said.Text);
            JsonElement[] rows = [.. JsonDocument.Parse(said.Text).RootElement.EnumerateArray()];
            Assert.Equal(9, rows.Length);
            Assert.All(rows, row => Assert.Equal($"part {rank}", row.GetProperty("tree").GetString()));
            JsonElement root = rows.Single(static row => !row.TryGetProperty("parent", out _));
            Assert.Equal($"{cube.Cube.Shape.At(rank)}", root.GetProperty("server").GetString());
        }

        Assert.All(
            (string[])["-1", "9"],
            rank =>
                Assert.Equal(
                    "group all has the ranks 0 to 8.",
                    cube.Command(4, "trees", ("group", "all"), ("rank", rank)).Text
                )
        );
        cube.AssertQuiet();
    }

    [Fact]
    public void Where_members_have_no_trees_of_their_own_it_is_said()
    {
        using var cube = new CollectivesCube(new TorusShape(3, 1, 1), options: new() { Groups = 4_096 });
        CommandResult said = cube.Command(1, "trees", ("group", "all"), ("rank", "0"));
        Assert.StartsWith("the members of group all have no trees of their own: there is no memory", said.Text);
        cube.AssertQuiet();
    }

    private static int DepthOf(TreeRow[] rows, string tree, string server)
    {
        TreeRow row = rows.Single(row => row.Tree == tree && row.Server == server);
        return row.Parent is { } parent ? 1 + DepthOf(rows, tree, parent) : 0;
    }
}
