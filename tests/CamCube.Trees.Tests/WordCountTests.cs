using System.Text;
using System.Text.Json;
using CamCube.Testing;
using WordCountSample;

namespace CamCube.Trees.Tests;

/// <summary>The sample of docs/trees.md.</summary>
public sealed class WordCountTests
{
    private static readonly string[] Vocabulary = ["the", "cube", "torus", "zäh", "link", "a", "server", "six"];

    [Fact]
    public void Words_of_all_servers_are_counted_once_by_several_who_ask_at_once_also_when_one_fails_meanwhile()
    {
        using TestCube cube = new TestCube(3, 3, 3).Add(static s => new WordCount(s));
        cube.AwaitConverged();
        Random random = new(1);
        List<string[]> texts = [];
        for (int rank = 0; rank < cube.Shape.Count; rank++)
        {
            string[] words = [.. Enumerable.Range(0, 400).Select(_ => Word(random))];
            texts.Add(words);
            Assert.True(Run(cube, rank, "put", string.Join(" \n", words)).IsOk);
        }

        (string, long)[] all = Count(texts);
        Task<CommandResult>[] asked = [.. new[] { 0, 5, 13, 26 }.Select(rank => Ask(cube, rank))];
        Assert.All(asked, task => Assert.Equal(all, Rows(cube.Await(new ValueTask<CommandResult>(task)))));

        // Its own text is gone with it, and nobody else's.
        asked = [.. new[] { 0, 5, 26 }.Select(rank => Ask(cube, rank))];
        cube.Kill(cube.Shape.At(14));
        foreach (Task<CommandResult> task in asked)
        {
            (string Word, long Count)[] rows = Rows(cube.Await(new ValueTask<CommandResult>(task)));
            Assert.All(
                rows.Zip(Count([.. texts.Where((_, rank) => rank != 14)])),
                pair =>
                    Assert.True(pair.First.Count >= pair.Second.Item2 && pair.First.Count <= Of(all, pair.First.Word))
            );
        }

        cube.AwaitConverged();
        Assert.Equal(
            Count([.. texts.Where((_, rank) => rank != 14)]),
            Rows(cube.Await(new ValueTask<CommandResult>(Ask(cube, 3))))
        );
        Assert.Empty(cube.Faults);
    }

    private static long Of((string Word, long Count)[] all, string word) => Array.Find(all, w => w.Word == word).Count;

    private static string Word(Random random) => Vocabulary[random.Next(Vocabulary.Length)] + (random.Next(40) % 25);

    private static (string, long)[] Count(List<string[]> texts) =>
        [
            .. texts
                .SelectMany(static words => words)
                .CountBy(static word => word)
                .Select(static one => (one.Key, (long)one.Value))
                .OrderBy(static one => one.Key, StringComparer.Ordinal),
        ];

    private static Task<CommandResult> Ask(TestCube cube, int rank) =>
        cube[rank].Gate.RunCommandAsync(CommandCall.Of("word-count", "top", ("most", "10000"))).AsTask();

    private static CommandResult Run(TestCube cube, int rank, string command, string body) =>
        cube.Await(
            cube[rank]
                .Gate.RunCommandAsync(
                    CommandCall.Of("word-count", command) with
                    {
                        Body = Encoding.UTF8.GetBytes(body),
                    }
                )
        );

    private static (string Word, long Count)[] Rows(CommandResult result)
    {
        Assert.True(result.IsOk, result.Text);
        using JsonDocument rows = JsonDocument.Parse(result.Text);
        return
        [
            .. rows
                .RootElement.EnumerateArray()
                .Select(static row => (row.GetProperty("word").GetString()!, row.GetProperty("count").GetInt64()))
                .OrderBy(static row => row.Item1, StringComparer.Ordinal),
        ];
    }
}
