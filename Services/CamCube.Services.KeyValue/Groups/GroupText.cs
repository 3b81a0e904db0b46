using System.Globalization;
using System.Text;

namespace CamCube.Services.KeyValue.Groups;

/// <summary>Epochs, entries and messages in words: equal for equal ones, for traces and comparisons.</summary>
internal static class GroupText
{
    /// <summary>An epoch: its number, members and who left.</summary>
    public static string Of(GroupEpoch? epoch)
    {
        if (epoch is null)
        {
            return "-";
        }

        var text = new StringBuilder();
        string generation = epoch.Generation > 0 ? $"{epoch.Generation}." : "";
        text.Append(CultureInfo.InvariantCulture, $"{generation}{epoch.Number}{{");
        for (int member = 0; member < epoch.Members.Length; member++)
        {
            string mark =
                epoch.Marks.IsAway(member) ? " away"
                : epoch.Marks.IsWhole(member) ? ""
                : " late";
            text.Append(member > 0 ? " " : "").Append(Of(epoch.Members[member])).Append(mark);
        }

        foreach (StoreId store in epoch.Leaving)
        {
            text.Append(" -").Append(Of(store));
        }

        foreach (StoreId store in epoch.Banned)
        {
            text.Append(" !").Append(Of(store));
        }

        string mode = epoch.Mode == default ? "" : $" {epoch.Mode}";
        return text.Append(mode).Append('}').ToString();
    }

    /// <summary>A recovery: the epoch, whose state it is, and who is asked.</summary>
    public static string Of(GroupRecovery? recovery)
    {
        if (recovery is null)
        {
            return "-";
        }

        var text = new StringBuilder(Of(recovery.Next));
        text.Append(
            CultureInfo.InvariantCulture,
            $" of {Of(recovery.Base)} to {recovery.Index}@{recovery.Ballot} asking"
        );
        foreach (StoreId store in recovery.Asked)
        {
            text.Append(' ').Append(Of(store));
        }

        return text.ToString();
    }

    /// <summary>A store: server and incarnation.</summary>
    public static string Of(StoreId store) =>
        string.Create(CultureInfo.InvariantCulture, $"{store.Server}/{store.Incarnation}");

    /// <summary>Entries, each with its ballot.</summary>
    public static string Of(ReadOnlySpan<GroupEntry> entries)
    {
        var text = new StringBuilder("[");
        foreach (GroupEntry entry in entries)
        {
            text.Append(text.Length > 1 ? " " : "").Append(entry.Kind);
            text.Append(CultureInfo.InvariantCulture, $" {entry.Data}@{entry.Ballot}");
            if (entry.Epoch is not null)
            {
                text.Append(Of(entry.Epoch));
            }
        }

        return text.Append(']').ToString();
    }

    /// <summary>A message, with all its fields.</summary>
    public static string Of(in GroupMessage message) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{message.Kind} {Of(message.From)} to {Of(message.To)} {message.Ballot} "
                + $"{message.Index}@{message.EntryBallot} {message.Commit} {message.Applied} {message.Round} "
                + $"{Of(message.Entries ?? [])} {Of(message.Epoch)}{Recovery(message.Recovery)}"
        );

    private static string Recovery(GroupRecovery? recovery) => recovery is null ? "" : $" {Of(recovery)}";
}
