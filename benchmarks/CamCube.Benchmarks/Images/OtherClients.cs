using System.Collections.Concurrent;
using System.Diagnostics;
using System.Runtime.Versioning;
using CamCube.Linux;

namespace CamCube.Benchmarks.Images;

/// <summary>
/// Clients who mean no harm: of eight requests five get thumbnails, two originals, and one puts a picture of 100 kB.
/// Each has one request at a time, without a pause, or at times that were set before: who is late asks at once, and its
/// time counts from when it should have asked.
/// </summary>
/// <param name="host">Whom they ask.</param>
/// <param name="picture">What they put.</param>
[SupportedOSPlatform("linux")]
internal sealed class OtherClients(ImageHost host, byte[] picture)
{
    private const int Clients = 4;
    private const int Pictures = 32;
    private const int OfEight = 8;

    /// <summary>Stores what they get.</summary>
    public async Task FillAsync()
    {
        for (int i = 0; i < Pictures; i++)
        {
            await host.StoreAsync(i % ImageHost.Servers, $"small {i}", picture);
        }
    }

    /// <summary>They ask for a while.</summary>
    /// <param name="time">How long.</param>
    /// <param name="perSecond">Requests of all of them; 0: without a pause.</param>
    public async Task<ClientTimes> RunAsync(TimeSpan time, double perSecond)
    {
        ConcurrentBag<double> gets = [],
            puts = [];
        long began = Stopwatch.GetTimestamp();
        await Task.WhenAll(
            Enumerable
                .Range(0, Clients)
                .Select(client =>
                    Task.Factory.StartNew(
                        () => Ask(client),
                        CancellationToken.None,
                        TaskCreationOptions.LongRunning,
                        TaskScheduler.Default
                    )
                )
        );
        return new ClientTimes(gets, puts, Stopwatch.GetElapsedTime(began));

        // On a thread of its own, which sleeps and waits for answers itself: no other client's work delays it.
        void Ask(int client)
        {
            using var sleep = new Poller(1);
            Poller.BeExact();
            double everyNanos = perSecond > 0 ? 1e9 * Clients / perSecond : 0;
            for (int i = 0; Stopwatch.GetElapsedTime(began) < time; i++)
            {
                double atNanos = Nanos();
                if (perSecond > 0)
                {
                    atNanos = everyNanos * (i + ((double)client / Clients));
                    for (double left; (left = atNanos - Nanos()) > 0; )
                    {
                        sleep.Wait((long)Math.Ceiling(left));
                    }
                }

                bool isPut = One(client, i);
                (isPut ? puts : gets).Add((Nanos() - atNanos) / 1e6);
            }
        }

        double Nanos() => Stopwatch.GetElapsedTime(began).TotalNanoseconds;
    }

    private bool One(int client, int i)
    {
        if (i % OfEight == OfEight - 1)
        {
            host.Store(client % ImageHost.Servers, $"small {i % Pictures} {client}", picture);
            return true;
        }

        string part = i % 4 == 3 ? "" : "/thumb";
        host.Get(i % ImageHost.Servers, $"small {i * 7 % Pictures}{part}");
        return false;
    }
}
