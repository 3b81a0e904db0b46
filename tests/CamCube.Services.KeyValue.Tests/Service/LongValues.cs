using CamCube.Services.KeyValue.Members;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>Writes and reads long values in a test cube.</summary>
internal static class LongValues
{
    /// <summary>Bytes that are known by a seed.</summary>
    public static byte[] Of(int seed, int length)
    {
        byte[] value = new byte[length];
        new Random(seed).NextBytes(value);
        return value;
    }

    /// <summary>Puts a value, written in parts of odd lengths.</summary>
    public static KeyValueAnswer Write(
        StoreCube cube,
        int rank,
        string key,
        byte[] value,
        KeyValueCondition condition = default
    ) => cube.Cube.Await(WriteAsync(cube[rank], key, value, condition));

    public static async ValueTask<KeyValueAnswer> WriteAsync(
        IKeyValueStore store,
        string key,
        byte[] value,
        KeyValueCondition condition = default
    )
    {
        using IKeyValueWriter writer = store.OpenWrite(KeyValueKey.Of(key));
        for (int at = 0; at < value.Length; at += 100_003)
        {
            KeyValueStatus status = await writer.WriteAsync(value.AsMemory(at, Math.Min(100_003, value.Length - at)));
            if (status != KeyValueStatus.Done)
            {
                return new KeyValueAnswer(status);
            }
        }

        return await writer.CommitAsync(new KeyValuePut { Condition = condition });
    }

    public static (KeyValueAnswer Answer, byte[] Value) Read(
        StoreCube cube,
        int rank,
        string key,
        long from,
        long length
    ) => cube.Cube.Await(ReadAsync(cube[rank], key, from, length));

    /// <summary>Reads a part of a value. With another status than Done what was read until then.</summary>
    public static async ValueTask<(KeyValueAnswer Answer, byte[] Value)> ReadAsync(
        IKeyValueStore store,
        string key,
        long from = 0,
        long length = long.MaxValue
    )
    {
        using IKeyValueReader reader = await store.OpenReadAsync(KeyValueKey.Of(key));
        var value = new MemoryStream();
        reader.Select(from, length);
        while (true)
        {
            KeyValuePart part = await reader.ReadAsync();
            if (part.Status != KeyValueStatus.Done || part.Bytes.IsEmpty)
            {
                return (reader.Answer with { Status = part.Status }, value.ToArray());
            }

            value.Write(part.Bytes.Span);
        }
    }

    /// <summary>Reads what is left of a value.</summary>
    public static byte[] Rest(StoreCube cube, IKeyValueReader reader)
    {
        var value = new MemoryStream();
        while (true)
        {
            KeyValuePart part = cube.Cube.Await(reader.ReadAsync());
            Assert.Equal(KeyValueStatus.Done, part.Status);
            if (part.Bytes.IsEmpty)
            {
                return value.ToArray();
            }

            value.Write(part.Bytes.Span);
        }
    }

    /// <summary>Values of which there are pieces, at all servers together.</summary>
    public static int Pieces(StoreCube cube)
    {
        int pieces = 0;
        for (int rank = 0; rank < cube.Cube.Shape.Count; rank++)
        {
            MemberHost host = cube.Cube[rank].Service<KeyValueService>().Host;
            pieces += host.Pieces.Keeper.Pieces.Count;
        }

        return pieces;
    }
}
