using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;
using CamCube.Workers;

namespace CamCube.Services.Camdoop.Tests.Service;

/// <summary>Jobs that say what cannot be, among some that are sound: no server is lost, and each ends.</summary>
public sealed class HostileTests
{
    private static readonly JsonSerializerOptions Json = new(JsonSerializerDefaults.Web)
    {
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) },
    };

    [Fact]
    public void Descriptions_with_anything_in_them_are_refused_or_end_and_sound_jobs_go_on()
    {
        using var cube = new CamdoopCube(3, 2, 1);
        cube.Put("/in", CamdoopCube.TextOf(1, 30));
        var sound = new JobDescription(["/in"], "/out")
        {
            Map = JobFunction.Program("cat"),
            Combine = JobFunction.Program("cat"),
            Reduce = JobFunction.Program("cat"),
            Files = [new JobFile("/in", "in")],
            Environment = ["A=b"],
            MapAttempts = 1,
            ReduceAttempts = 1,
            Text = new JobText { SortFields = [KeyFields.Whole], PartitionFields = [KeyFields.First(1)] },
        };
        var random = new Random(7);
        List<string> begun = [];
        int refused = 0;
        for (int i = 0; i < 600; i++)
        {
            JsonNode node = JsonSerializer.SerializeToNode(sound with { Output = $"/out{i}" }, Json)!;
            for (int changes = random.Next(1, 3); changes > 0; changes--)
            {
                Change(node, random);
            }

            JobDescription? job;
            try
            {
                job = node.Deserialize<JobDescription>(Json);
            }
            catch (JsonException)
            {
                continue;
            }

            if (job is null)
            {
                continue;
            }

            JobAnswer answer = cube.Run<CamdoopService, JobAnswer>(i % 6, s => s.SubmitAsync(job));
            if (answer.State is { } state)
            {
                begun.Add(state.Name);
            }
            else
            {
                Assert.Equal(JobStatus.BadJob, answer.Status);
                Assert.NotNull(answer.Words);
                refused++;
            }
        }

        Assert.True(refused > 30 && begun.Count > 20, $"{refused} refused, {begun.Count} begun");
        string good = cube.Submit(new JobDescription(["/in"], "/good") { Map = JobFunction.Program("cat") });
        Assert.Equal(JobPhase.Done, cube.Await(good).Phase);
        Assert.All(begun, name => Assert.True(cube.Await(name).IsOver));
        Assert.Empty(cube.Cube.Faults);
    }

    // All that servers have to say would be no message: they say it in parts.
    [Fact]
    public void Tasks_that_count_more_than_a_report_has_room_for_are_heard()
    {
        using var cube = new CamdoopCube(2, 1, 1);
        cube.Put("/in", CamdoopCube.TextOf(1, 60));
        string[] names = [.. Enumerable.Range(0, 300).Select(static i => $"{new string('\u00e4', 300)}{i}")];
        string[] kept = [.. Enumerable.Range(0, 300).Select(static i => $"c{i}")];
        cube.Programs["counts"] = (_, input) =>
            new FunctionEnd(
                input.ToArray(),
                Errors: CamdoopCube.Lines(
                    names
                        .Concat(kept)
                        .Select(static n => $"reporter:counter:{n},{n},1")
                        .Append("a\rreporter:counter:,,")
                )
            );
        string name = cube.Submit(
            new JobDescription(["/in"], "/out") { Map = JobFunction.Program("counts"), Maps = 100 }
        );
        JobState state = cube.Await(name);
        Assert.Equal((JobPhase.Done, null), (state.Phase, state.Words));
        Assert.True(state.Maps.All >= 100);
        Assert.Equal(state.Maps.All, JobTests.CounterOf(state, "c299"));
        Assert.Empty(cube.Cube.Faults);
    }

    // Something in it becomes nothing, or something else.
    private static void Change(JsonNode node, Random random)
    {
        JsonNode at = node;
        while (true)
        {
            if (at is JsonObject { Count: > 0 } one)
            {
                (string name, JsonNode? below) = one.ElementAt(random.Next(one.Count));
                if (below is JsonObject or JsonArray { Count: > 0 } && random.Next(4) > 0)
                {
                    at = below;
                    continue;
                }

                one[name] = Other(random);
            }
            else if (at is JsonArray { Count: > 0 } many)
            {
                int place = random.Next(many.Count);
                if (many[place] is JsonObject below && random.Next(3) > 0)
                {
                    at = below;
                    continue;
                }

                many[place] = Other(random);
            }

            return;
        }
    }

    private static JsonNode? Other(Random random) =>
        random.Next(12) switch
        {
            0 or 1 or 2 => null,
            3 => -1,
            4 => 0,
            5 => int.MaxValue,
            6 => long.MaxValue,
            7 => "",
            8 => "/\u0000/../x",
            9 => new JsonArray(),
            10 => new JsonArray(null, "x"),
            _ => true,
        };
}
