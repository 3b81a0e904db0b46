using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using CamCube.Experiments.Images;

namespace CamCube.Benchmarks.Images;

/// <summary>
/// A process that puts pictures through a host's servers, some at a time and each sender one after the other: hostile
/// ones, or ordinary ones of 1.47 MB. A line on its input, "hostile 6" say, begins so many seconds of it; it answers
/// with a line of statuses and how often each came. It is a process of its own because whoever means harm shares no
/// threads with other clients.
/// </summary>
internal static class AttackNode
{
    /// <summary>The word for hostile ones.</summary>
    public const string Hostile = "hostile";

    /// <summary>The word for ordinary ones, each another one: what is there already is not stored again.</summary>
    public const string Ordinary = "ordinary";

    private const int Senders = 2;
    private const int OrdinaryPictures = 12;
    private const int FirstPicture = 3;

    /// <summary>Runs it until its input ends.</summary>
    /// <param name="args">The port of the host's first server, and how many servers there are.</param>
    public static async Task<int> RunAsync(string[] args)
    {
        int port = int.Parse(args[0], CultureInfo.InvariantCulture),
            servers = int.Parse(args[1], CultureInfo.InvariantCulture);
        byte[][] ordinary =
        [
            .. Enumerable
                .Range(FirstPicture, OrdinaryPictures)
                .Select(static n => MadePictures.Make(n, MadePictures.MeanBytes)),
        ];
        byte[][] hostile = HostilePictures.Make(ordinary[0]);
        using var http = new HttpClient();
        Console.WriteLine("ready");
        while (await Console.In.ReadLineAsync() is { } line)
        {
            string[] words = line.Split(' ');
            byte[][] pictures = words[0] == Hostile ? hostile : ordinary;
            var time = TimeSpan.FromSeconds(double.Parse(words[1], CultureInfo.InvariantCulture));
            ConcurrentDictionary<int, int> statuses = [];
            long began = Stopwatch.GetTimestamp();
            await Task.WhenAll(Enumerable.Range(0, Senders).Select(SendAsync));
            Console.WriteLine(string.Join(' ', statuses.Select(static s => $"{s.Key} {s.Value}")));

            async Task SendAsync(int sender)
            {
                for (int i = sender; Stopwatch.GetElapsedTime(began) < time; i++)
                {
                    using HttpResponseMessage answer = await http.PutAsync(
                        $"http://127.0.0.1:{port + (i % servers)}/images/{words[0]} {sender}",
                        new ByteArrayContent(pictures[i % pictures.Length])
                    );
                    await answer.Content.ReadAsByteArrayAsync();
                    statuses.AddOrUpdate((int)answer.StatusCode, 1, static (_, count) => count + 1);
                }
            }
        }

        return 0;
    }
}
