using System.Buffers;
using System.Buffers.Text;
using System.Text;
using CamCube.Services.Files.Records;
using CamCube.Services.KeyValue;

namespace CamCube.Services.Files.Naming;

/// <summary>
/// Bytes of all files, as a number in the key-value store, while there is a quota. They are taken before a file gets
/// its name and given back when it has lost it, so who dies between the two leaves the number too large, never too
/// small; the sweep counts anew, out of what the directories say. Loop only.
/// </summary>
internal sealed class ByteQuota(Dependency<IKeyValueStore> store, FilesOptions options)
{
    private readonly KeyValueKey _used = KeyValueKey.Of(ServiceKeys.UsedBytes, options.Table);

    /// <summary>Takes bytes for a file.</summary>
    /// <returns>Done; OverQuota: there are too many with these, and nothing was taken; Full, Unavailable or
    /// Unknown.</returns>
    public async ValueTask<FileStatus> TakeAsync(long bytes)
    {
        if (options.Quota == 0)
        {
            return FileStatus.Done;
        }

        var sum = new ArrayBufferWriter<byte>();
        KeyValueAnswer answer = store.IsAvailable
            ? await store.Value.ChangeAsync(_used, KeyValueChange.Add(bytes), sum)
            : new KeyValueAnswer(KeyValueStatus.Unavailable);
        if (answer.Status != KeyValueStatus.Done)
        {
            return FileStatuses.Of(answer.Status);
        }

        if (Utf8Parser.TryParse(sum.WrittenSpan, out long used, out _) && used <= options.Quota)
        {
            return FileStatus.Done;
        }

        await GiveBackAsync(bytes);
        return FileStatus.OverQuota;
    }

    /// <summary>Gives bytes back. If that fails they are counted until the sweep counts anew.</summary>
    public async ValueTask GiveBackAsync(long bytes)
    {
        if (options.Quota > 0 && store.IsAvailable)
        {
            await store.Value.ChangeAsync(_used, KeyValueChange.Add(-bytes));
        }
    }

    /// <summary>Counts anew; if files come or go meanwhile, the next time.</summary>
    /// <returns>Whether the number is right now.</returns>
    public async ValueTask<bool> RecountAsync()
    {
        if (options.Quota == 0 || !store.IsAvailable)
        {
            return false;
        }

        KeyValueAnswer before = await store.Value.GetAsync(_used);
        if (before.Status is not (KeyValueStatus.Done or KeyValueStatus.NotFound))
        {
            return false;
        }

        // Keys may come twice.
        Dictionary<string, long> bytes = [];
        string? cursor = null;
        do
        {
            KeyValuePage page = await store.Value.ListAsync(DirectoryKeys.AllOpen(options.Table), cursor);
            if (page.Status != KeyValueStatus.Done)
            {
                return false;
            }

            foreach (KeyValueListing one in page.Keys)
            {
                var value = new ArrayBufferWriter<byte>();
                KeyValueAnswer answer = await store.Value.GetAsync(
                    new KeyValueKey(one.Key, options.Table),
                    value: value
                );
                if (answer.Status is not (KeyValueStatus.Done or KeyValueStatus.NotFound))
                {
                    return false;
                }

                bytes[Encoding.UTF8.GetString(one.Key.Span)] =
                    answer.Status == KeyValueStatus.Done && Utf8Parser.TryParse(value.WrittenSpan, out long some, out _)
                        ? some
                        : 0;
            }

            cursor = page.Next;
        } while (cursor is not null);
        KeyValueAnswer put = await store.Value.PutAsync(
            _used,
            Encoding.UTF8.GetBytes($"{bytes.Values.Sum()}"),
            new KeyValuePut
            {
                Condition = before.Version == 0 ? KeyValueCondition.Absent : KeyValueCondition.Is(before.Version),
            }
        );
        return put.Status == KeyValueStatus.Done;
    }
}
