using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Operations;

namespace CamCube.Services.KeyValue.Members;

/// <summary>Whether what lies on the disk fits the settings of tables.</summary>
internal static class TableCheck
{
    /// <summary>All groups that there should be.</summary>
    public static IEnumerable<GroupId> Groups(KeyValueOptions options, TorusShape shape) =>
        Enumerable
            .Range(0, GroupId.MostTables)
            .Where(table => options.CopiesOf(table) > 0)
            .SelectMany(table => GroupId.AllOf(table, shape));

    /// <summary>What a group of a table promises that is born now.</summary>
    public static GroupMode ModeOf(KeyValueOptions options, int table)
    {
        TableMode mode = options.ModeOf(table);
        uint leaseMicros = mode.ReadsByLease ? (uint)options.Silence.TotalMicroseconds : 0;
        return new GroupMode(mode.AcknowledgesByMajority, leaseMicros, mode.IsInMemory);
    }

    /// <summary>Looks at the groups that were found.</summary>
    /// <param name="options">Settings.</param>
    /// <param name="found">The groups.</param>
    /// <returns>What does not fit, in words, and what can be done; null: all does.</returns>
    public static string? Look(KeyValueOptions options, IEnumerable<Member> found)
    {
        foreach (Member member in found)
        {
            int table = member.Id.Table,
                copies = options.CopiesOf(table);
            if (member.State is not { IsDropped: false, Epoch: { } epoch })
            {
                continue;
            }

            string setting = table == 0 ? "Replicas" : "Tables";
            if (copies == 0)
            {
                return $"table {table} has data here, and is not in the setting {setting}. Name it again; to be rid "
                    + "of it, its keys must be deleted one by one";
            }

            // After a recovery there may be fewer until there are servers again.
            bool isShort = epoch.Generation > 0 && epoch.Members.Length < member.Planned.Length;
            if (epoch.Members.Length != member.Planned.Length && !isShort)
            {
                return $"table {table} has {epoch.Members.Length} copies of each key, and the setting {setting} says "
                    + $"{copies}. Copies cannot be changed once there is data: set {epoch.Members.Length} again, or "
                    + "take another table and copy the keys into it";
            }

            string made = TableMode.TextOf(epoch.Mode.HasLeases, epoch.Mode.IsByMajority, epoch.Mode.IsInMemory),
                said = options.ModeOf(table).Text;
            if (made != said)
            {
                return $"table {table} was made with {made}, and the setting {(table == 0 ? "Mode" : "Tables")} says "
                    + $"{said}. That cannot be changed once there is data: set it as it was, or take another table "
                    + "and copy the keys into it";
            }
        }

        return null;
    }
}
