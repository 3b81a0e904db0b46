using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Wire;

/// <summary>Requests as bytes; a value lies at the end.</summary>
internal static class RequestFormat
{
    /// <summary>Writes all but the value.</summary>
    public static void Write(WireWriter writer, in RequestContent request)
    {
        writer.Byte((byte)request.Type);
        writer.Byte((byte)request.Table);
        writer.Byte((byte)request.Condition.Kind);
        writer.Byte(request.IsInPieces ? (byte)1 : (byte)0);
        writer.ULong(request.Condition.Version);
        OperationFormat.WriteRequest(writer, request.Id, request.Closed);
        writer.ULong(request.Number);
        writer.UInt(request.Expires);
        writer.UShort((ushort)request.Key.Length);
        writer.UShort((ushort)request.Metadata.Length);
        writer.Bytes(request.Key);
        writer.Bytes(request.Metadata);
    }

    /// <summary>False: it is none.</summary>
    public static bool TryRead(ReadOnlySpan<byte> content, out RequestContent request)
    {
        var reader = new WireReader(content);
        request = new RequestContent { Type = (RequestType)reader.Byte(), Table = reader.Byte() };
        var condition = (KeyValueConditionKind)reader.Byte();
        request.IsInPieces = reader.Byte() != 0;
        request.Condition = new KeyValueCondition(condition, reader.ULong());
        request.Id = OperationFormat.ReadRequest(ref reader, out request.Closed);
        request.Number = reader.ULong();
        request.Expires = reader.UInt();
        int key = reader.UShort(),
            metadata = reader.UShort();
        request.Key = reader.Take(key);
        request.Metadata = reader.Take(metadata);
        request.Value = reader.Rest();
        bool isBatch = request.Type == RequestType.Batch && !reader.IsBroken;
        request.Steps = isBatch ? BatchFormat.Read(request.Table, request.Key, request.Value) : null;
        return !reader.IsBroken
            && request.Type is >= RequestType.Get and <= RequestType.Look
            && (request.Type != RequestType.Batch || request.Steps is not null)
            && condition <= KeyValueConditionKind.Version
            && request.Table < GroupId.MostTables
            && (key > 0 || request.Type == RequestType.List)
            && metadata <= OperationFormat.MostMetadata;
    }
}
