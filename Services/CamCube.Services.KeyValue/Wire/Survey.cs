using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;

namespace CamCube.Services.KeyValue.Wire;

/// <summary>All that a server's store knows of the groups it has, or had, a part in: what a recovery by hand is planned
/// with.</summary>
internal sealed class Survey
{
    /// <summary>The store.</summary>
    public StoreId Store { get; init; }

    /// <summary>Stores that were given up before, as far as it knows.</summary>
    public StoreId[] Banned { get; init; } = [];

    /// <summary>Stores of the first start, if it is one of them.</summary>
    public StoreId[] Founders { get; init; } = [];

    /// <summary>Its groups.</summary>
    public List<SurveyRow> Rows { get; } = [];

    public void Write(WireWriter writer)
    {
        EpochFormat.Write(writer, Store);
        writer.UInt((uint)Banned.Length);
        EpochFormat.Write(writer, Banned);
        writer.UInt((uint)Founders.Length);
        EpochFormat.Write(writer, Founders);
        foreach (SurveyRow row in Rows)
        {
            row.Write(writer);
        }
    }

    /// <summary>Null: it is none.</summary>
    public static Survey? Read(ReadOnlySpan<byte> content)
    {
        var reader = new WireReader(content);
        StoreId store = EpochFormat.ReadStore(ref reader);
        uint banned = reader.UInt();
        StoreId[] given = EpochFormat.ReadStores(ref reader, (int)Math.Min(banned, int.MaxValue));
        uint founders = reader.UInt();
        StoreId[] first = EpochFormat.ReadStores(ref reader, (int)Math.Min(founders, int.MaxValue));
        if (reader.IsBroken || given.Length != banned || first.Length != founders)
        {
            return null;
        }

        var survey = new Survey
        {
            Store = store,
            Banned = given,
            Founders = first,
        };
        while (reader.Left > 0)
        {
            if (!SurveyRow.TryRead(ref reader, out SurveyRow? row))
            {
                return null;
            }

            survey.Rows.Add(row!);
        }

        return survey;
    }
}
