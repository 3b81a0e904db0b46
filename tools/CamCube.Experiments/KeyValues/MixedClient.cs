using System.Buffers;
using CamCube.Services.KeyValue;
using CamCube.Simulator.Disks;

namespace CamCube.Experiments.KeyValues;

/// <summary>Puts short values and reads them through one server, by turns, with a pause behind each. Loop only.
/// </summary>
internal sealed class MixedClient(ValueCube cube, int rank, string name, int length, int keys, TimeSpan pause)
{
    private readonly byte[] _value = new byte[length];
    private readonly ArrayBufferWriter<byte> _read = new();
    private bool _isStopped;

    /// <summary>When each answer came that said Done, and how long that took.</summary>
    public List<(long At, long Took)> Done { get; } = [];

    /// <summary>Answers other than Done.</summary>
    public long Failed { get; private set; }

    /// <summary>Begins.</summary>
    public void Start() => cube.ServerOf(rank).Loop.Run(RunAsync);

    /// <summary>Ends with what it is at.</summary>
    public void Stop() => _isStopped = true;

    private async ValueTask RunAsync()
    {
        IServer server = cube.ServerOf(rank);
        IKeyValueStore store = cube.StoreOf(rank);
        _isStopped = false;
        for (long turn = 0; !_isStopped && cube.Runs(rank); turn++)
        {
            var key = KeyValueKey.Of($"{name}-{turn / 2 % keys}");
            long began = server.NowNanos;
            KeyValueAnswer answer;
            if (turn % 2 == 0)
            {
                CountedBytes.Fill(_value, 0, (ulong)turn, 0x9E3779B97F4A7C15);
                answer = await store.PutAsync(key, _value);
            }
            else
            {
                _read.ResetWrittenCount();
                answer = await store.GetAsync(key, value: _read);
            }

            if (answer.Status == KeyValueStatus.Done)
            {
                Done.Add((cube.NowNanos, server.NowNanos - began));
            }
            else
            {
                Failed++;
            }

            if (!await server.DelayAsync(pause))
            {
                return;
            }
        }
    }
}
