using CamCube.Services.Cache.Store.Internal;

namespace CamCube.Services.Cache.Store;

/// <summary>Items as they lie in chunks: header, key and value in one, or the value's rest in further ones. Loop
/// only.</summary>
internal sealed class ItemChunks(PageMemory memory, Chunks chunks)
{
    private const int LongSize = ItemHeader.Size + sizeof(uint);

    /// <summary>Bytes of an item with a key and a value of these lengths, in one chunk.</summary>
    public static long BytesOf(int keyLength, int valueLength) => (long)ItemHeader.Size + keyLength + valueLength;

    /// <summary>The header of an item.</summary>
    public ref ItemHeader this[uint item] => ref memory.At<ItemHeader>(item);

    /// <summary>Pages that an item of so many bytes may need, if no class has a free chunk.</summary>
    public int MostPages(long bytes) => bytes <= memory.PageBytes / 8 ? 1 : (int)(bytes >> memory.PageShift) + 5;

    /// <summary>An item with its key and room for its value; 0: there is no memory.</summary>
    public uint Allocate(ReadOnlySpan<byte> key, int valueLength)
    {
        int bytes = (int)BytesOf(key.Length, valueLength);
        int number = chunks.Sizes.Choose(bytes);
        uint item = chunks.Allocate(number);
        if (item == 0)
        {
            return 0;
        }

        ref ItemHeader header = ref memory.At<ItemHeader>(item);
        header = new ItemHeader
        {
            Kind = ChunkKind.Item,
            KeyLength = (byte)key.Length,
            Length = valueLength,
        };
        int room = chunks.Sizes.BytesOf(number);
        int front = ItemHeader.Size;
        if (room < bytes)
        {
            front = LongSize;
            header.Kind = ChunkKind.LongItem;
            uint first = AllocatePieces(item, valueLength - (room - front - key.Length));
            if (first == 0)
            {
                chunks.Free(item);
                return 0;
            }

            memory.At<uint>(item, ItemHeader.Size) = first;
        }

        key.CopyTo(memory.Bytes(item, front, key.Length));
        return item;
    }

    /// <summary>Gives an item's chunks back.</summary>
    public void Free(uint item)
    {
        uint piece = FirstPieceOf(item);
        chunks.Free(item);
        FreePieces(piece);
    }

    /// <summary>The first stretch of a value, and the chunk that has the next; 0: that is all.</summary>
    public Span<byte> First(uint item, out uint next)
    {
        ref ItemHeader header = ref memory.At<ItemHeader>(item);
        if (header.Kind == ChunkKind.Item)
        {
            next = 0;
            return memory.Bytes(item, ItemHeader.Size + header.KeyLength, header.Length);
        }

        next = memory.At<uint>(item, ItemHeader.Size);
        int front = LongSize + header.KeyLength;
        return memory.Bytes(item, front, chunks.PagesOf(chunks.ClassOf(item)).Bytes - front);
    }

    /// <summary>Brings the beginning of an item that is at hand closer to the processor: its value is read soon, and
    /// from one end to the other, which the processor only notices after some lines.</summary>
    public void Prefetch(uint item)
    {
        const int Most = 1_024;
        memory.Prefetch(item, 64, Math.Min(Most, memory.At<ItemHeader>(item).Length));
    }

    /// <summary>A further stretch.</summary>
    public Span<byte> Next(uint piece, out uint next)
    {
        ref PieceHeader header = ref memory.At<PieceHeader>(piece);
        next = header.Next;
        return memory.Bytes(piece, PieceHeader.Size, header.Length);
    }

    /// <summary>Copies a value, or its beginning.</summary>
    public void CopyTo(uint item, Span<byte> target)
    {
        Span<byte> stretch = First(item, out uint next);
        for (; ; )
        {
            int n = Math.Min(stretch.Length, target.Length);
            stretch[..n].CopyTo(target);
            target = target[n..];
            if (target.IsEmpty || next == 0)
            {
                return;
            }

            stretch = Next(next, out next);
        }
    }

    /// <summary>Writes a stretch of a value.</summary>
    public void Write(uint item, int offset, ReadOnlySpan<byte> bytes)
    {
        Span<byte> stretch = First(item, out uint next);
        while (!bytes.IsEmpty)
        {
            if (offset >= stretch.Length)
            {
                offset -= stretch.Length;
            }
            else
            {
                int n = Math.Min(stretch.Length - offset, bytes.Length);
                bytes[..n].CopyTo(stretch[offset..]);
                bytes = bytes[n..];
                offset = 0;
            }

            if (!bytes.IsEmpty)
            {
                stretch = Next(next, out next);
            }
        }
    }

    /// <summary>Writes the value of another item into a value, from a place on.</summary>
    public void Join(uint item, int offset, uint other)
    {
        Span<byte> stretch = First(other, out uint next);
        for (; ; )
        {
            Write(item, offset, stretch);
            offset += stretch.Length;
            if (next == 0)
            {
                return;
            }

            stretch = Next(next, out next);
        }
    }

    /// <summary>Bytes of all chunks of an item.</summary>
    public int MemoryOf(uint item)
    {
        int bytes = chunks.PagesOf(chunks.ClassOf(item)).Bytes;
        for (uint piece = FirstPieceOf(item); piece != 0; piece = memory.At<PieceHeader>(piece).Next)
        {
            bytes += chunks.PagesOf(chunks.ClassOf(piece)).Bytes;
        }

        return bytes;
    }

    /// <summary>Copies an item's first chunk to another of the same class; its pieces belong to that then. The old one
    /// is to be freed.</summary>
    public void MoveItem(uint from, uint to)
    {
        CopyChunk(from, to);
        for (uint piece = FirstPieceOf(to); piece != 0; piece = memory.At<PieceHeader>(piece).Next)
        {
            memory.At<PieceHeader>(piece).Owner = to;
        }
    }

    /// <summary>The same with a piece.</summary>
    public void MovePiece(uint from, uint to)
    {
        CopyChunk(from, to);
        uint owner = memory.At<PieceHeader>(from).Owner;
        ref uint place = ref memory.At<uint>(owner, ItemHeader.Size);
        while (place != from)
        {
            place = ref memory.At<PieceHeader>(place).Next;
        }

        place = to;
    }

    private uint FirstPieceOf(uint item) =>
        memory.At<ChunkKind>(item) == ChunkKind.LongItem ? memory.At<uint>(item, ItemHeader.Size) : 0;

    private void CopyChunk(uint from, uint to)
    {
        int bytes = chunks.PagesOf(chunks.ClassOf(from)).Bytes;
        memory.Bytes(from, 0, bytes).CopyTo(memory.Bytes(to, 0, bytes));
    }

    private uint AllocatePieces(uint owner, int length)
    {
        uint first = 0,
            last = 0;
        while (length > 0)
        {
            int number = chunks.Sizes.Choose(length + PieceHeader.Size);
            uint piece = chunks.Allocate(number);
            if (piece == 0)
            {
                FreePieces(first);
                return 0;
            }

            int room = Math.Min(length, chunks.Sizes.BytesOf(number) - PieceHeader.Size);
            memory.At<PieceHeader>(piece) = new PieceHeader
            {
                Kind = ChunkKind.Piece,
                Owner = owner,
                Length = room,
            };
            length -= room;
            if (last == 0)
            {
                first = piece;
            }
            else
            {
                memory.At<PieceHeader>(last).Next = piece;
            }

            last = piece;
        }

        return first;
    }

    private void FreePieces(uint piece)
    {
        while (piece != 0)
        {
            uint next = memory.At<PieceHeader>(piece).Next;
            chunks.Free(piece);
            piece = next;
        }
    }
}
