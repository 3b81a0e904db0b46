using System.Reflection.Metadata;

namespace CamCube.Tool.Checks;

/// <summary>CC0010: what methods use of a server that a loop gives to other threads, and those that these call; and
/// which methods run on no loop. By calls within the assembly; not through interfaces and virtual members.</summary>
internal sealed class ThreadScan(
    MetadataReader reader,
    UsedNames names,
    StateMachines machines,
    Func<MethodDefinitionHandle, IReadOnlyList<Instruction>?> codeOf,
    Func<MethodDefinitionHandle, MethodFlow?> flowOf
)
{
    /// <summary>All uses, each with its method.</summary>
    /// <param name="roots">Methods that a loop calls.</param>
    public IEnumerable<(MethodDefinitionHandle Method, Instruction At, UsedName Used)> Uses(
        IEnumerable<MethodDefinitionHandle> roots
    )
    {
        foreach (MethodDefinitionHandle method in GivenBy(Reached(roots, static flow => flow.GivenAway)))
        {
            foreach (Instruction one in (codeOf(method) ?? []).Where(static one => IsCall(one.Code)))
            {
                if (
                    CalledMethod.Of(reader, names, one.Operand).Named is { } used
                    && MemberList.Loop.Has(used.Type, used.Name)
                )
                {
                    yield return (method, one, used);
                }
            }
        }
    }

    /// <summary>Methods that other threads run, and no other method calls: what they do is not the loop's.</summary>
    /// <param name="all">All methods.</param>
    public HashSet<MethodDefinitionHandle> OffLoop(IReadOnlyCollection<MethodDefinitionHandle> all)
    {
        HashSet<MethodDefinitionHandle> off = GivenBy(all);
        off.ExceptWith(Reached(all.Where(method => !off.Contains(method)), static flow => flow.GivenAway));
        return off;
    }

    private HashSet<MethodDefinitionHandle> GivenBy(IEnumerable<MethodDefinitionHandle> methods) =>
        Reached(
            methods.Select(flowOf).OfType<MethodFlow>().SelectMany(static flow => flow.GivenAway),
            static flow => flow.GivenBack
        );

    // What is called from there, but what is given to the other kind of thread.
    private HashSet<MethodDefinitionHandle> Reached(
        IEnumerable<MethodDefinitionHandle> from,
        Func<MethodFlow, IReadOnlySet<MethodDefinitionHandle>> givenOf
    )
    {
        HashSet<MethodDefinitionHandle> reached = [.. from];
        var next = new Queue<MethodDefinitionHandle>(reached);
        while (next.TryDequeue(out MethodDefinitionHandle method))
        {
            Reach(machines.Of(reader.GetMethodDefinition(method), out _));
            IReadOnlySet<MethodDefinitionHandle>? given = flowOf(method) is { } flow ? givenOf(flow) : null;
            foreach (Instruction one in (codeOf(method) ?? []).Where(static one => IsCall(one.Code)))
            {
                MethodDefinitionHandle called = CalledMethod.Of(reader, names, one.Operand).Own;
                if (given?.Contains(called) != true)
                {
                    Reach(called);
                }
            }
        }

        return reached;

        void Reach(MethodDefinitionHandle method)
        {
            if (!method.IsNil && reached.Add(method))
            {
                next.Enqueue(method);
            }
        }
    }

    private static bool IsCall(ILOpCode code) =>
        code is ILOpCode.Call or ILOpCode.Callvirt or ILOpCode.Newobj or ILOpCode.Ldftn or ILOpCode.Ldvirtftn;
}
