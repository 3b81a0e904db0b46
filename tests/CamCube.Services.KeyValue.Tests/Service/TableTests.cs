using System.ComponentModel.DataAnnotations;
using System.Text;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>Tables beside table 0, with copies of their own.</summary>
public sealed class TableTests
{
    [Fact]
    public void Each_has_keys_and_copies_of_its_own_and_bears_what_those_bear()
    {
        using var cube = new StoreCube(
            5,
            1,
            1,
            new KeyValueOptions { Tables = ["1=1", "7=5"], Timeout = TimeSpan.FromSeconds(1) }
        );
        cube.AwaitLed();
        Assert.Equal(5 * 48 * (3 + 1 + 5), Enumerable.Range(0, 5).Sum(rank => cube[rank].ListGroups().Count));
        for (int i = 0; i < 20; i++)
        {
            Assert.Equal((Done, 3), Put(cube, 0, $"key {i}"));
            Assert.Equal((Done, 1), Put(cube, 1, $"key {i}"));
            Assert.Equal((Done, 5), Put(cube, 7, $"key {i}"));
            Assert.Equal((BadKey, 0), Put(cube, 2, $"key {i}"));
        }

        Assert.Equal(Done, cube.Cube.Await(cube[3].DeleteAsync(KeyValueKey.Of("key 3", 7))).Status);
        Assert.Equal((20, 20, 19), (Count(cube, 0), Count(cube, 1), Count(cube, 7)));
        Assert.Equal(BadKey, cube.Cube.Await(cube[0].ListAsync(KeyValueKey.Of("", 2))).Status);

        // Two of five are lost at once: of 5 copies a majority is left, of 1 some have none.
        cube.Cube.Kill(cube.Cube.Shape.At(1));
        cube.Cube.Kill(cube.Cube.Shape.At(2));
        cube.Cube.AwaitConverged();
        for (int i = 0; i < 20; i++)
        {
            Assert.Equal(Done, Put(cube, 7, $"key {i}").Status);
        }

        KeyValueStatus[] single = [.. Enumerable.Range(0, 20).Select(i => Put(cube, 1, $"key {i}").Status)];
        Assert.Contains(Done, single);
        Assert.Contains(Unavailable, single);
        Assert.DoesNotContain(NotFound, single);
    }

    [Fact]
    public void One_may_come_later_and_none_may_go_or_have_other_copies()
    {
        var options = new KeyValueOptions { Tables = ["1=1"] };
        using var cube = new StoreCube(3, 1, 1, options);
        cube.AwaitLed();
        Assert.Equal(Done, Put(cube, 0, "a").Status);
        Assert.Equal(Done, Put(cube, 1, "a").Status);
        options.Tables = ["2=3", "1=1"];
        Restart(cube);
        cube.AwaitLed();
        Assert.Equal((Done, 3), Put(cube, 2, "a"));
        Assert.Equal(1, Count(cube, 1));

        options.Tables = ["2=1", "1=1"];
        Restart(cube);
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(
            "table 2 has 3 copies of each key, and the setting Tables says 1. Copies cannot be changed once there is "
                + "data: set 3 again, or take another table and copy the keys into it",
            cube[0].Failure
        );
        options.Tables = ["1=1"];
        Restart(cube);
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(
            "table 2 has data here, and is not in the setting Tables. Name it again; to be rid of it, its keys must be "
                + "deleted one by one",
            cube[1].Failure
        );
        options.Tables = ["2=3", "1=1"];
        Restart(cube);
        cube.AwaitLed();
        Assert.Equal((1, 1, 1), (Count(cube, 0), Count(cube, 1), Count(cube, 2)));
        cube.Cube.AssertQuiet();
    }

    [Theory]
    [InlineData("")]
    [InlineData("1")]
    [InlineData("0=3")]
    [InlineData("16=3")]
    [InlineData("1=2")]
    [InlineData("1=4")]
    [InlineData("1=3=3")]
    [InlineData("-1=3")]
    [InlineData("1= 3")]
    [InlineData("x=3")]
    public void What_is_no_table_is_refused(string entry)
    {
        var options = new KeyValueOptions { Tables = ["3=5", entry] };
        ValidationResult wrong = Assert.Single(options.Validate(new ValidationContext(options)));
        Assert.Equal(
            $"Tables: '{entry}' is no table=copies with a table of 1 to 15 and 1, 3 or 5 copies.",
            wrong.ErrorMessage
        );
        options.Tables = ["3=5", "3=5"];
        Assert.Single(options.Validate(new ValidationContext(options)));
        options.Tables = ["3=5", "15=1"];
        Assert.Empty(options.Validate(new ValidationContext(options)));
    }

    [Theory]
    [InlineData("reads=lease", true, false)]
    [InlineData("acknowledge=majority", false, true)]
    [InlineData("acknowledge=majority,reads=lease", true, true)]
    [InlineData("reads=majority,acknowledge=all", false, false)]
    public void How_a_table_is_kept_stands_behind_its_copies(string mode, bool byLease, bool byMajority)
    {
        var options = new KeyValueOptions { Mode = mode, Tables = [$"4=5,{mode}", "5=1"] };
        Assert.Empty(options.Validate(new ValidationContext(options)));
        Assert.Equal((3, byLease, byMajority), Of(options.ModeOf(0)));
        Assert.Equal((5, byLease, byMajority), Of(options.ModeOf(4)));
        Assert.Equal((1, false, false), Of(options.ModeOf(5)));
        Assert.Equal((0, false, false), Of(options.ModeOf(6)));

        static (int, bool, bool) Of(TableMode mode) => (mode.Copies, mode.ReadsByLease, mode.AcknowledgesByMajority);
    }

    [Theory]
    [InlineData("reads", "reads")]
    [InlineData("reads=leases", "reads=leases")]
    [InlineData("Reads=lease", "Reads=lease")]
    [InlineData("reads=lease,", "")]
    [InlineData("reads=lease, acknowledge=all", " acknowledge=all")]
    [InlineData("reads=lease,reads=majority", "reads=majority")]
    [InlineData("acknowledge=all,acknowledge=all", "acknowledge=all")]
    [InlineData("acknowledge=none", "acknowledge=none")]
    [InlineData("storage=tape", "storage=tape")]
    [InlineData("storage=disk,storage=memory", "storage=memory")]
    public void What_is_no_way_to_keep_a_table_is_refused(string mode, string wrong)
    {
        var options = new KeyValueOptions { Mode = mode, Tables = [$"3=5,{mode}"] };
        string[] said = [.. options.Validate(new ValidationContext(options)).Select(static r => r.ErrorMessage!)];
        string why = $"has '{wrong}', which is none of {TableMode.Words}, or says again what is said.";
        Assert.Equal([$"Tables: '3=5,{mode}' {why}", $"Mode: '{mode}' {why}"], said);
    }

    [Fact]
    public void None_may_be_kept_otherwise_than_its_data_was()
    {
        var options = new KeyValueOptions { Mode = "acknowledge=majority", Tables = ["1=3"] };
        using var cube = new StoreCube(3, 1, 1, options);
        cube.AwaitLed();
        Assert.Equal(Done, Put(cube, 0, "a").Status);
        (options.Mode, options.Tables) = ("", ["1=3,reads=majority"]);
        Restart(cube);
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(
            "table 0 was made with reads=majority,acknowledge=majority, and the setting Mode says "
                + "reads=majority,acknowledge=all. That cannot be changed once there is data: set it as it was, or "
                + "take another table and copy the keys into it",
            cube[2].Failure
        );
        (options.Mode, options.Tables) = ("acknowledge=majority", ["1=3,reads=lease"]);
        Restart(cube);
        cube.Cube.Advance(TimeSpan.FromSeconds(1));
        Assert.StartsWith(
            "table 1 was made with reads=majority,acknowledge=all, and the setting Tables says reads=l",
            cube[1].Failure
        );
        options.Tables = ["1=3"];
        Restart(cube);
        cube.AwaitLed();
        Assert.Equal(1, Count(cube, 0));
        cube.Cube.AssertQuiet();
    }

    private static (KeyValueStatus Status, int Copies) Put(StoreCube cube, int table, string key)
    {
        byte[] value = Encoding.UTF8.GetBytes($"{table}");
        KeyValueAnswer answer = cube.Cube.Await(cube[0].PutAsync(KeyValueKey.Of(key, table), value));
        return (answer.Status, answer.Copies);
    }

    private static int Count(StoreCube cube, int table) =>
        cube.Cube.Await(cube[0].ListAsync(KeyValueKey.Of("", table))).Keys.Count;

    private static void Restart(StoreCube cube)
    {
        for (int rank = 0; rank < cube.Cube.Shape.Count; rank++)
        {
            cube.Cube.Kill(cube.Cube.Shape.At(rank));
        }

        for (int rank = 0; rank < cube.Cube.Shape.Count; rank++)
        {
            cube.Cube.Revive(cube.Cube.Shape.At(rank));
        }

        cube.Cube.AwaitConverged();
    }
}
