using System.Buffers.Binary;
using CamCube.Runtime;
using CamCube.Runtime.Core;
using CamCube.Simulator;
using CamCube.Simulator.Settings;
using CamCube.Topology;

namespace CamCube.Experiments.Throughput;

/// <summary>
/// A running cube loses a server; then all others are asked who is root of the keys it had, by their own views. HPDC
/// §3.2: it must be the key's second server.
/// </summary>
/// <param name="Keys">SHA-1 keys that were drawn.</param>
/// <param name="Asked">Those whose home was the lost server.</param>
/// <param name="Wrong">Those that any server places otherwise.</param>
public sealed record FailedServerKeys(int Keys, int Asked, int Wrong)
{
    /// <summary>Runs it.</summary>
    /// <param name="shape">Axis sizes.</param>
    /// <param name="keys">SHA-1 keys to draw; one in as many as there are servers is of use.</param>
    /// <param name="seed">Seed of the keys and of the cube; chooses the server too.</param>
    /// <param name="detectionTime">Silence after which servers suspect a neighbour.</param>
    /// <param name="progress">Told now and then which part is done, 0 to 1.</param>
    public static FailedServerKeys Run(
        TorusShape shape,
        int keys,
        ulong seed,
        TimeSpan detectionTime,
        Action<double>? progress = null
    )
    {
        var options = new ServerOptions { Liveness = new LivenessOptions { DetectionTime = detectionTime } };
        using var cube = new SimulatedCube(shape, [], new SimulatorOptions { Seed = seed }, options);
        int lost = new DrawStream(seed, "lost server").Next(shape.Count);
        cube.Kill(lost);
        cube.Advance(2 * detectionTime);

        var whole = CubeView.Whole(shape);
        ITopologyView[] views = [.. Enumerable.Range(0, shape.Count).Where(cube.IsRunning).Select(cube.TopologyOf)];
        Span<byte> name = stackalloc byte[16];
        Span<Coordinate> servers = stackalloc Coordinate[2];
        BinaryPrimitives.WriteUInt64LittleEndian(name, seed);
        int asked = 0,
            wrong = 0;
        for (int i = 0; i < keys; i++)
        {
            BinaryPrimitives.WriteInt64LittleEndian(name[8..], i);
            var key = Key.OfBytes(name);
            if (i % 10_000 == 0)
            {
                progress?.Invoke((double)i / keys);
            }

            if (shape.RankOf(key.HomeIn(shape)) == lost)
            {
                asked++;
                whole.GetServersForKey(key.Route, default, servers);
                Coordinate second = servers[1];
                wrong += views.All(view => view.RootOf(key) == second) ? 0 : 1;
            }
        }

        return new FailedServerKeys(keys, asked, wrong);
    }
}
