using System.Globalization;
using System.Text;
using CamCube.Services.Camdoop.Functions;
using CamCube.Services.Camdoop.Tests.Service;
using CamCube.Workers;

namespace CamCube.Services.Camdoop.Tests.Functions;

/// <summary>Keys that say how their values become one: wherever they are combined the result is the same.</summary>
public sealed class AggregateTests
{
    [Theory]
    [InlineData("LongValueSum", "-3 5 9223372036854775807 0 12", "-9223372036854775795")]
    [InlineData("LongValueMax", "-3 5 4", "5")]
    [InlineData("LongValueMin", "-3 5 4", "-3")]
    [InlineData("DoubleValueSum", "0.5 1 2.25", "3.75")]
    [InlineData("StringValueMax", "b abc c a", "c")]
    [InlineData("StringValueMin", "b abc c a", "a")]
    [InlineData("UniqValueCount", "b a b c a b", "3")]
    [InlineData("ValueHistogram", "b a b c a b", "3\t1\t2\t3\t2\t0.816496580927726")]
    public void Values_become_one_in_any_order_of_combining(string name, string values, string expected)
    {
        AggregateKind kind = AggregateKeys.Read(Encoding.UTF8.GetBytes($"{name}:k"), out _);
        byte[][] given = [.. values.Split(' ').Select(value => Coded(kind, Encoding.UTF8.GetBytes(value)))];
        for (int seed = 0; seed < 50; seed++)
        {
            var random = new Random(seed);
            List<byte[]> left = [.. given];
            while (left.Count > 1)
            {
                int at = random.Next(left.Count - 1);
                byte[] result = new byte[1_000];
                int length = AggregateValues.Combine(kind, left[at], left[at + 1], result);
                Assert.True(length >= 0);
                left[at] = result[..length];
                left.RemoveAt(at + 1);
            }

            Assert.Equal(expected, AggregateValues.Show(kind, left[0]));
        }
    }

    [Fact]
    public void What_has_no_room_or_is_no_list_is_said_and_nothing_is_thrown()
    {
        var random = new Random(1);
        foreach (AggregateKind kind in Enum.GetValues<AggregateKind>())
        {
            for (int i = 0; i < 5_000; i++)
            {
                byte[] left = new byte[random.Next(40)],
                    right = new byte[random.Next(40)],
                    room = new byte[random.Next(60)];
                random.NextBytes(left);
                random.NextBytes(right);
                Assert.InRange(AggregateValues.Combine(kind, left, right, room), int.MinValue, room.Length);
                _ = AggregateValues.WrongOf(kind, left, right);
            }
        }
    }

    [Theory]
    [InlineData(true, 9)]
    [InlineData(true, 1)]
    [InlineData(false, 4)]
    public void A_job_counts_the_same_whether_pairs_are_combined_on_the_way_or_not(bool isOnTheWay, int reduces)
    {
        using var cube = new CamdoopCube(3, 3, 1, new CamdoopOptions { MostCombined = 32 << 10 });
        List<string> all = [];
        for (int i = 0; i < 9; i++)
        {
            string text = CamdoopCube.TextOf(i, 3_000);
            cube.Put($"/in/{i}", text);
            all.AddRange(CamdoopCube.WordsOf(text));
        }

        string longKey = new('y', 5_000);
        cube.Programs["say"] = (_, input) =>
            new FunctionEnd(
                CamdoopCube.Lines(
                    CamdoopCube
                        .WordsOf(CamdoopCube.Text(input))
                        .SelectMany(w =>
                            (string[])
                                [
                                    $"LongValueSum:{w}\t1",
                                    $"UniqValueCount:words\t{w[..5]}",
                                    $"LongValueSum:{longKey}\t2",
                                ]
                        )
                )
            );
        JobState state = cube.Await(
            cube.Submit(
                new JobDescription(["/in"], "/out")
                {
                    Map = JobFunction.Program("say"),
                    Combine = new JobFunction(JobFunctionKind.Aggregate),
                    Reduce = new JobFunction(JobFunctionKind.Aggregate),
                    Reduces = reduces,
                    CombinesOnTheWay = isOnTheWay,
                }
            )
        );
        Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
        string[] expected =
        [
            .. all.CountBy(static w => w).Select(static c => $"{c.Key}\t{c.Value}"),
            string.Create(CultureInfo.InvariantCulture, $"words\t{all.Select(static w => w[..5]).Distinct().Count()}"),
            string.Create(CultureInfo.InvariantCulture, $"{longKey}\t{2 * all.Count}"),
        ];
        string[] lines =
        [
            .. cube.Output("/out", reduces)
                .SelectMany(static p => p.Split('\n', StringSplitOptions.RemoveEmptyEntries)),
        ];
        Assert.Equal(expected.Order(StringComparer.Ordinal), lines.Order(StringComparer.Ordinal));

        // Combined on the way a reduce gets a pair of each key; else one of each map task, at least.
        long pairs = JobTests.CounterOf(state, "Reduce input records");
        Assert.Equal(expected.Length, JobTests.CounterOf(state, "Reduce input groups"));
        Assert.True(isOnTheWay ? pairs == expected.Length : pairs > 2 * expected.Length, $"{pairs} pairs");
    }

    [Theory]
    [InlineData("word\t1", "a key of aggregate begins with")]
    [InlineData("LongValueSum:a\tmany", "a value of LongValueSum:a is no number: many")]
    public void A_key_that_says_nothing_and_a_value_that_is_no_number_fail_the_job_in_words(string line, string says)
    {
        using var cube = new CamdoopCube(3, 1, 1);
        cube.Put("/in", line + "\n");
        JobState state = cube.Await(
            cube.Submit(
                new JobDescription(["/in"], "/out")
                {
                    Map = JobFunction.Program("cat"),
                    Combine = new JobFunction(JobFunctionKind.Aggregate),
                    Reduce = new JobFunction(JobFunctionKind.Aggregate),
                }
            )
        );
        Assert.Equal(JobPhase.Failed, state.Phase);
        Assert.Contains(says, state.Words, StringComparison.Ordinal);
        Assert.Equal(4, state.Maps.Failed);
        Assert.Empty(cube.Cube.Faults);
    }

    private static byte[] Coded(AggregateKind kind, byte[] value)
    {
        if (!AggregateValues.IsList(kind))
        {
            return value;
        }

        byte[] list = new byte[value.Length + 40];
        return list[..AggregateValues.WriteOne(value, list)];
    }
}
