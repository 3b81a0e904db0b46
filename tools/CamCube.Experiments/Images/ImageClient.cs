using CamCube.Services.Images;

namespace CamCube.Experiments.Images;

/// <summary>Puts pictures through one server, one after the other, each under a name of its own. Loop only.</summary>
internal sealed class ImageClient(ImagesCube cube, int rank, int number)
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(1);
    private int _count;

    /// <summary>The server.</summary>
    public int Rank => rank;

    /// <summary>Answers other than Done.</summary>
    public int Failed { get; private set; }

    /// <summary>Puts whose variants were not there when they were answered.</summary>
    public int Pending { get; private set; }

    /// <summary>Images that were acknowledged: when, how long that took, bytes, and the servers that have it.</summary>
    public List<(string Name, long At, long Took, int Bytes, int[] Places)> Done { get; } = [];

    /// <summary>Begins.</summary>
    public void Start() => cube.ServerOf(rank).Loop.Run(RunAsync);

    private async ValueTask RunAsync()
    {
        IServer server = cube.ServerOf(rank);
        IImageStore store = cube.StoreOf(rank);
        while (cube.Below.Runs(rank))
        {
            string name = $"{rank}-{number}-{_count}";
            ulong first = ((ulong)rank << 48) + ((ulong)number << 40) + ((ulong)_count << 24);

            // All of them, in an order in which neither the long ones nor the short ones are together.
            int picture = (int)((((long)_count * 97) + (rank * 31) + (number * 11)) % MadePictures.Count);
            byte[] bytes = SimulatedPicture.Make(picture, first);
            _count++;
            long began = cube.Below.NowNanos;
            ImageAnswer answer = await store.PutAsync(name, bytes, default);
            if (answer.Status == ImageStatus.Done)
            {
                long now = cube.Below.NowNanos;
                Pending += answer.IsPending ? 1 : 0;
                Done.Add((name, now, now - began, bytes.Length, cube.PlacesOf(name)));
                continue;
            }

            Failed++;
            if (!await server.DelayAsync(Pause))
            {
                // The server is stopped.
                return;
            }
        }
    }
}
