using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace CamCube.Tool.Checks;

/// <summary>What one method's instructions break: CC0001, CC0002, CC0007, CC0008. In the order of the
/// instructions.</summary>
internal sealed class MethodScan
{
    private const string Tasks = "System.Threading.Tasks.";
    private const string Awaiters = "System.Runtime.CompilerServices.";

    private static readonly BannedMember Blocks = new(
        "",
        "await instead, or give it to IServer.Work: it blocks the loop, on which all services run"
    );

    private static readonly BannedMember Leaves = new(
        "",
        "await without ConfigureAwait(false): what comes behind it may run on another thread"
    );

    private static readonly BannedMember Unordered = new(
        "",
        "sort, or use a Dictionary: its order goes by hash codes, which differ in every process"
    );

    private readonly List<(int Offset, ILOpCode Code, UsedName Used, bool IsBehindZero)> _uses = [];
    private readonly BannedList _list;
    private readonly bool _isStateMachine;

    public MethodScan(
        MetadataReader reader,
        MethodDefinition method,
        IReadOnlyList<Instruction> il,
        UsedNames names,
        BannedList list
    )
    {
        _list = list;
        string type = reader.GetString(reader.GetTypeDefinition(method.GetDeclaringType()).Name);
        _isStateMachine = type.StartsWith('<') && reader.GetString(method.Name) == "MoveNext";
        bool isBehindZero = false;
        foreach (Instruction one in il)
        {
            if (one.HasToken && names.Of(MetadataTokens.EntityHandle(one.Operand)) is { } used)
            {
                _uses.Add((one.Offset, one.Code, used, isBehindZero));
            }

            isBehindZero = one.Code == ILOpCode.Ldc_i4_0;
        }
    }

    /// <summary>Whether the method uses a member of another assembly that is looked for.</summary>
    public bool Uses(Func<UsedName, bool> isIt) => _uses.Exists(use => isIt(use.Used));

    /// <summary>What is wrong: where, by which rule, what is used and how, and what to do instead.</summary>
    /// <param name="hasService">Whether a service is in the assembly: else it may block, and await as it likes.</param>
    public IEnumerable<(int Offset, string Rule, ILOpCode Code, UsedName Used, BannedMember Why)> Breaches(
        bool hasService
    )
    {
        bool looksFirst = _uses.Exists(static use =>
            use.Used.Type.StartsWith(Tasks, StringComparison.Ordinal)
            && use.Used.Name
                is "get_IsCompleted"
                    or "get_IsCompletedSuccessfully"
                    or "get_IsFaulted"
                    or "get_IsCanceled"
        );
        UsedName before = default;
        foreach ((int offset, ILOpCode code, UsedName used, bool isBehindZero) in _uses)
        {
            BannedMember? banned = _list.Find(used.Type, used.Id);
            bool blocks = MemberList.Blocking.Has(used.Type, used.Name) || (!looksFirst && TakesResult(used, before));
            if (blocks && (hasService || banned is not null))
            {
                yield return (offset, "CC0001", code, used, banned ?? Blocks);
            }
            else if (banned is not null)
            {
                yield return (offset, "CC0002", code, used, banned);
            }
            else if (
                hasService
                && _isStateMachine
                && used.Name == "ConfigureAwait"
                && isBehindZero
                && before.Type != "CamCube.StepSignal"
            )
            {
                yield return (offset, "CC0007", code, used, Leaves);
            }
            else if (hasService && used.Name == "GetEnumerator" && (IsByHash(used) || IsPartOf(before)))
            {
                yield return (offset, "CC0008", code, IsByHash(used) ? used : before, Unordered);
            }

            before = used;
        }
    }

    private static bool IsPartOf(UsedName collection) =>
        collection.Name is "get_Keys" or "get_Values" && IsByHash(collection);

    private static bool IsByHash(UsedName member) => MemberList.HashOrdered.Has(member.Type, member.Name);

    // Every await takes a result, in what the compiler made of the method.
    private bool TakesResult(UsedName used, UsedName before) =>
        (used.Name == "get_Result" && used.Type is Tasks + "Task`1" or Tasks + "ValueTask`1")
        || (
            used.Name == "GetResult"
            && !_isStateMachine
            && before.Name == "GetAwaiter"
            && used.Type.StartsWith(Awaiters, StringComparison.Ordinal)
            && used.Type.Contains("Awaiter", StringComparison.Ordinal)
        );
}
