using System.Reflection.Metadata;

namespace CamCube.Tool.Checks;

/// <summary>Parameters of an assembly's own methods whose functions are run on other threads, as OffLoopAttribute says.
/// Of other assemblies' methods only the lists say so. Immutable; any thread.</summary>
internal sealed class OffLoopParameters
{
    private readonly HashSet<(MethodDefinitionHandle Method, int Index)> _all = [];
    private readonly HashSet<MethodDefinitionHandle> _methods = [];

    public OffLoopParameters(MetadataReader reader, UsedNames names)
    {
        foreach (CustomAttributeHandle handle in reader.CustomAttributes)
        {
            CustomAttribute said = reader.GetCustomAttribute(handle);
            if (
                said.Parent.Kind == HandleKind.Parameter
                && names.Of(said.Constructor) is { Type: "CamCube.OffLoopAttribute" }
            )
            {
                Add(reader, (ParameterHandle)said.Parent);
            }
        }
    }

    /// <summary>Whether it is one.</summary>
    /// <param name="method">The method; nil: another assembly's.</param>
    /// <param name="index">Of the parameter, from 0.</param>
    public bool Has(MethodDefinitionHandle method, int index) => _all.Contains((method, index));

    /// <summary>Whether code calls a method that has one.</summary>
    public bool AreIn(IReadOnlyList<Instruction> code, MetadataReader reader, UsedNames names) =>
        _methods.Count > 0
        && code.Any(one =>
            one.Code is ILOpCode.Call or ILOpCode.Callvirt or ILOpCode.Newobj
            && _methods.Contains(CalledMethod.Of(reader, names, one.Operand).Own)
        );

    // A parameter does not say whose it is.
    private void Add(MetadataReader reader, ParameterHandle parameter)
    {
        MethodDefinitionHandle method = reader.MethodDefinitions.FirstOrDefault(one =>
            reader.GetMethodDefinition(one).GetParameters().Contains(parameter)
        );
        if (!method.IsNil)
        {
            _all.Add((method, reader.GetParameter(parameter).SequenceNumber - 1));
            _methods.Add(method);
        }
    }
}
