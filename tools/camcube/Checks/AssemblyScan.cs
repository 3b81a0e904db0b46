using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;

namespace CamCube.Tool.Checks;

/// <summary>One scan of one assembly.</summary>
internal sealed class AssemblyScan
{
    private const string OfThreads =
        "come in through IServer.Gate, or do it afterwards: it is for the loop only, and this runs on another thread";

    private readonly PEReader _assembly;
    private readonly SourceLines _lines;
    private readonly BannedList _list;
    private readonly MetadataReader _reader;
    private readonly UsedNames _names;
    private readonly StateMachines _machines;
    private readonly OffLoopParameters _offLoop;
    private readonly Dictionary<MethodDefinitionHandle, IReadOnlyList<Instruction>> _code = [];
    private readonly Dictionary<MethodDefinitionHandle, MethodFlow> _flows = [];
    private readonly List<(MethodDefinitionHandle Method, Breach Breach)> _breaches = [];

    public AssemblyScan(PEReader assembly, SourceLines lines, BannedList list)
    {
        (_assembly, _lines, _list, _reader) = (assembly, lines, list, assembly.GetMetadataReader());
        _names = new UsedNames(_reader);
        _machines = new StateMachines(_reader, _names);
        _offLoop = new OffLoopParameters(_reader, _names);
    }

    /// <summary>What is wrong with it.</summary>
    public CheckResult Run(string file)
    {
        var declarations = new DeclarationScan(_reader, _names, _machines);
        foreach (MethodDefinitionHandle handle in _reader.MethodDefinitions)
        {
            MethodDefinition method = _reader.GetMethodDefinition(handle);
            if (method.RelativeVirtualAddress != 0)
            {
                MethodBodyBlock body = _assembly.GetMethodBody(method.RelativeVirtualAddress);
                Method(handle, method, body, declarations.HasService);
            }
        }

        if (declarations.HasService)
        {
            OnOtherThreads(declarations);
        }

        foreach (var (member, rule, what, advice, place) in declarations.Breaches())
        {
            (string? source, int? line) = place.IsNil ? default : _lines.Of(place, 0);
            _breaches.Add((default, new Breach(rule, source, line, member, 0, "has", what, null, advice)));
        }

        return new CheckResult(
            file,
            _code.Count,
            _lines.WhyNone,
            [
                .. _breaches
                    .Select(static one => one.Breach)
                    .OrderBy(breach => breach.File is null)
                    .ThenBy(breach => breach.File, StringComparer.Ordinal)
                    .ThenBy(breach => breach.Line ?? 0),
            ]
        );
    }

    private void Method(MethodDefinitionHandle handle, MethodDefinition method, MethodBodyBlock body, bool hasService)
    {
        IReadOnlyList<Instruction> code = IlReader.Read(body.GetILReader());
        _code.Add(handle, code);
        var scan = new MethodScan(_reader, method, code, _names, _list);
        foreach ((int offset, string rule, ILOpCode op, UsedName used, BannedMember why) in scan.Breaches(hasService))
        {
            Add(handle, offset, rule, Words(op), NameOf(op, used), why.Id.Length == 0 ? null : why.Id, why.Advice);
        }

        // Most methods have nothing to do with packets or threads.
        if (!hasService || !(scan.Uses(MethodFlow.Matters) || _offLoop.AreIn(code, _reader, _names)))
        {
            return;
        }

        var flow = new MethodFlow(_reader, _names, method, body, code, _offLoop);
        _flows.Add(handle, flow);
        flow.Run();
        foreach (PacketFinding found in flow.Findings)
        {
            if (found.Gone is { } gone)
            {
                string where = _lines.Of(handle, gone.Offset).Line is { } line ? $" in line {line}" : "";
                Add(
                    handle,
                    found.Offset,
                    "CC0003",
                    "uses",
                    $"a packet that was {gone.How}{where}",
                    null,
                    "use it before, or share it (IServerPackets.TryShare): it is not this method's any more"
                );
            }
            else
            {
                Add(
                    handle,
                    found.Offset,
                    "CC0004",
                    "rents",
                    "a packet",
                    null,
                    "send or release it on every way out of this method: on some it is neither"
                );
            }
        }
    }

    private void OnOtherThreads(DeclarationScan declarations)
    {
        var threads = new ThreadScan(
            _reader,
            _names,
            _machines,
            method => _code.GetValueOrDefault(method),
            method => _flows.GetValueOrDefault(method)
        );
        // Off the loop one may block, and go on where one likes.
        HashSet<MethodDefinitionHandle> off = threads.OffLoop(_code.Keys);
        _breaches.RemoveAll(one => one.Breach.Rule is "CC0001" or "CC0007" && off.Contains(one.Method));
        foreach ((MethodDefinitionHandle method, Instruction at, UsedName used) in threads.Uses(declarations.OnLoop))
        {
            Add(method, at.Offset, "CC0010", Words(at.Code), NameOf(at.Code, used), null, OfThreads);
        }
    }

    private static string Words(ILOpCode code) =>
        code switch
        {
            ILOpCode.Call or ILOpCode.Callvirt or ILOpCode.Jmp => "calls",
            ILOpCode.Newobj => "creates",
            ILOpCode.Ldftn or ILOpCode.Ldvirtftn => "refers to",
            ILOpCode.Ldfld or ILOpCode.Ldsfld or ILOpCode.Ldflda or ILOpCode.Ldsflda => "reads",
            ILOpCode.Stfld or ILOpCode.Stsfld => "writes",
            _ => "names",
        };

    private static string NameOf(ILOpCode code, UsedName used) => code == ILOpCode.Newobj ? used.Type : used.Shown;

    private void Add(
        MethodDefinitionHandle method,
        int offset,
        string rule,
        string use,
        string what,
        string? entry,
        string advice
    )
    {
        (string? file, int? line) = _lines.Of(method, offset);
        string name = UserNames.Of(_reader, _reader.GetMethodDefinition(method));
        var breach = new Breach(rule, file, line, name, offset, use, what, entry, advice);

        // A statement that uses a member twice is one breach.
        if (_breaches.Count == 0 || line is null || _breaches[^1].Breach with { IlOffset = offset } != breach)
        {
            _breaches.Add((method, breach));
        }
    }
}
