using CamCube.Messaging;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Values;

/// <summary>Sends pieces of one value to whoever asks for them. Loop only.</summary>
/// <param name="pieces">Where they are.</param>
/// <param name="streams">Has buffers for them.</param>
/// <param name="stream">Where to.</param>
/// <param name="given">Counts their bytes; null: nothing does.</param>
internal sealed class PieceSender(MemberPieces pieces, ValueStreams streams, ReliableStream stream, Counter? given)
{
    // The asker has room for what it asks for.
    private static readonly TimeSpan InPiece = TimeSpan.FromSeconds(2);
    private readonly WatchedStream _watched = streams.Watch(stream, InPiece);
    private readonly byte[] _head = new byte[ValueWire.IdBytes];

    public async ValueTask RunAsync()
    {
        PieceId? id = null;
        PieceKeeper keeper = pieces.Keeper;
        try
        {
            if (await ValueWire.ReadAsync(stream, _head))
            {
                id = ValueWire.ReadId(_head);
                keeper = pieces.StoreWith(id.Value).Records.Pieces;
                keeper.Begin(id.Value);
                while (await ValueWire.ReadAsync(stream, _head.AsMemory(0, ValueWire.NumberBytes)))
                {
                    if (!await SendAsync(id.Value, (int)(ReadUInt32LittleEndian(_head) & int.MaxValue)))
                    {
                        stream.Abort(ValueWire.Away);
                        break;
                    }
                }

                stream.Complete();
            }
        }
        finally
        {
            streams.Close(_watched);
            if (id is { } begun)
            {
                keeper.End(begun);
            }
        }
    }

    private async ValueTask<bool> SendAsync(PieceId id, int number)
    {
        if (await streams.Outgoing.TakeAsync() is not { } slot)
        {
            return false;
        }

        try
        {
            MemberStore store = pieces.StoreWith(id);
            LogRead read = await store.Records.Pieces.Pieces.ReadAsync(store.Log!, id, number, slot);
            if (read is not { Status: DiskStatus.Done, IsRotten: false })
            {
                if (read is { Status: DiskStatus.Done, IsRotten: true })
                {
                    // Whoever asks goes to another server; here it is mended.
                    pieces.Rotten(id, number);
                }

                return false;
            }

            given?.Add(read.Value.Length);
            WriteUInt32LittleEndian(_head, (uint)read.Value.Length);
            return await ValueWire.WriteAsync(_watched, _head.AsMemory(0, ValueWire.NumberBytes))
                && await ValueWire.WriteAsync(_watched, read.Value);
        }
        finally
        {
            streams.Outgoing.Give(slot);
        }
    }
}
