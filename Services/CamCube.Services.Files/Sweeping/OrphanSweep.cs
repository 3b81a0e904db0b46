using System.Buffers;
using System.Text;
using CamCube.Services.Files.Counting;
using CamCube.Services.Files.Naming;
using CamCube.Services.Files.Records;
using CamCube.Services.KeyValue;

namespace CamCube.Services.Files.Sweeping;

/// <summary>
/// Finds chunks whose file is not there: their writer died, or who deleted the file did. One server looks, the root of
/// a key of its own. A chunk goes only when this server has found it without its file for all of
/// <see cref="FilesOptions.OrphanAge"/>, by its own clock; a writer gives up after half of that, so no file ever gets
/// its name for chunks that are gone. Who becomes root begins anew. Loop only.
/// </summary>
internal sealed class OrphanSweep
{
    private static readonly Key Place = Key.OfName("camcube files orphans");
    private readonly IServer _server;
    private readonly FilesOptions _options;
    private readonly Directories _directories;
    private readonly ByteQuota _quota;
    private readonly Dependency<IKeyValueStore> _store;
    private readonly FilesCounters _counters;
    private readonly ServerTimer _timer;
    private Dictionary<(UInt128 Id, int Index), long> _found = [];
    private bool _isSweeping;

    public OrphanSweep(
        IServer server,
        FilesOptions options,
        Directories directories,
        ByteQuota quota,
        Dependency<IKeyValueStore> store,
        FilesCounters counters
    )
    {
        (_server, _options, _directories, _quota) = (server, options, directories, quota);
        (_store, _counters) = (store, counters);
        _timer = server.CreateTimer(OnDue);
    }

    /// <summary>Chunks that were found without their file, and are kept yet.</summary>
    public int Waiting => _found.Count;

    /// <summary>Begins.</summary>
    public void Start() => _timer.Arm(_options.SweepEvery);

    private void OnDue()
    {
        _timer.Arm(_options.SweepEvery);
        if (!_server.Topology.IsRoot(Place) || !_server.Topology.HasKeys)
        {
            // What it found is of no use once others look, too.
            _found = [];
        }
        else if (!_isSweeping)
        {
            _isSweeping = true;
            _server.Loop.Run(async () =>
            {
                await SweepAsync();
                await _quota.RecountAsync();
                _isSweeping = false;
            });
        }
    }

    private async ValueTask SweepAsync()
    {
        Dictionary<(UInt128 Id, int Index), long> found = [];
        HashSet<UInt128> named = [];
        string? cursor = null;
        do
        {
            if (!_store.IsAvailable)
            {
                return;
            }

            KeyValuePage page = await _store.Value.ListAsync(KeyValueKey.Of(ChunkList.Prefix, _options.Table), cursor);
            if (page.Status != KeyValueStatus.Done)
            {
                // What was not seen may be there: all of it is found again the next time, with its old age.
                return;
            }

            foreach (KeyValueListing one in page.Keys)
            {
                if (ChunkList.TryReadKey(one.Key.Span, out UInt128 id, out int index) && !named.Contains(id))
                {
                    await LookAsync(one, id, index, named, found);
                }
            }

            cursor = page.Next;
        } while (cursor is not null);

        _found = found;
    }

    private async ValueTask LookAsync(
        KeyValueListing chunk,
        UInt128 id,
        int index,
        HashSet<UInt128> named,
        Dictionary<(UInt128 Id, int Index), long> found
    )
    {
        var key = new KeyValueKey(chunk.Key, _options.Table);
        var path = new ArrayBufferWriter<byte>();
        KeyValueAnswer answer = await _store.Value.GetAsync(key, metadata: path);
        string text = Encoding.UTF8.GetString(path.WrittenSpan);
        NameFound file =
            answer.Status != KeyValueStatus.Done ? new NameFound(FileStatus.Unavailable, null, 0, null)
            : FilePath.WrongOf(text) is null ? await _directories.FindAsync(text)
            : new NameFound(FileStatus.NotFound, null, 0, null);
        if (file.Record?.Id == id)
        {
            named.Add(id);
            return;
        }

        if (file.Status is not (FileStatus.Done or FileStatus.NotFound))
        {
            // Who it belongs to cannot be said now, so its age stays what it was.
            if (_found.TryGetValue((id, index), out long old))
            {
                found[(id, index)] = old;
            }

            return;
        }

        long since = _found.GetValueOrDefault((id, index), _server.NowNanos);
        if (
            _server.NowNanos - since >= (long)_options.OrphanAge.TotalNanoseconds
            || _directories.Mistake == FilesMistake.SweepsAtOnce
        )
        {
            KeyValueAnswer gone = await _store.Value.DeleteAsync(key, KeyValueCondition.Is(chunk.Version));
            _counters.Orphans.Add(gone.Status == KeyValueStatus.Done ? 1 : 0);
        }
        else if (found.Count < _options.Orphans)
        {
            found[(id, index)] = since;
        }
    }
}
