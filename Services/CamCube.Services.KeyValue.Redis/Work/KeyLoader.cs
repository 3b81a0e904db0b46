using System.Buffers;
using System.Runtime.CompilerServices;
using CamCube.Services.KeyValue.Redis.Data;

namespace CamCube.Services.KeyValue.Redis.Work;

/// <summary>Reads keys for transactions, values of any length too. Loop only.</summary>
internal static class KeyLoader
{
    /// <summary>Reads a key.</summary>
    /// <param name="store">The store.</param>
    /// <param name="entry">The key; begins anew with what was read.</param>
    /// <param name="question">For whom: it has the limits, and holds the memory of a long value until it ends.</param>
    /// <returns>Done, also where there is no such key; or why it could not be read.</returns>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public static async ValueTask<KeyValueStatus> LoadAsync(
        IKeyValueStore store,
        KeyEntry entry,
        RedisQuestion question
    )
    {
        entry.Forget();
        KeyValueAnswer answer = await store.GetAsync(
            entry.Key,
            KeyValueReads.Latest,
            entry.NeedsValue ? entry.ReadBuffer : null,
            entry.MetadataBuffer
        );
        if (answer.Status == KeyValueStatus.TooLarge && answer.Length <= question.Call.MaxValueLength)
        {
            answer = question.TryHoldValues(answer.Length)
                ? await LoadLongAsync(store, entry, (int)answer.Length)
                : answer with
                {
                    Status = KeyValueStatus.Full,
                };
        }

        entry.Take(answer);
        question.Reply.Work += entry.NeedsValue ? answer.Length : 0;
        return entry.Status;
    }

    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private static async ValueTask<KeyValueAnswer> LoadLongAsync(IKeyValueStore store, KeyEntry entry, int mostLength)
    {
        entry.Forget();
        using IKeyValueReader reader = await store.OpenReadAsync(entry.Key);
        KeyValueAnswer answer = reader.Answer;
        if (answer.Status != KeyValueStatus.Done)
        {
            return answer;
        }

        if (answer.Length > mostLength)
        {
            return answer with { Status = KeyValueStatus.TooLarge };
        }

        entry.MetadataBuffer.Write(reader.Metadata.Span);
        while (true)
        {
            KeyValuePart part = await reader.ReadAsync();
            if (part.Status != KeyValueStatus.Done || part.Bytes.IsEmpty)
            {
                return answer with { Status = part.Status };
            }

            entry.ReadBuffer.Write(part.Bytes.Span);
        }
    }
}
