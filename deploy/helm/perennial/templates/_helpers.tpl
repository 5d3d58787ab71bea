{{- define "perennial.name" -}}
{{- if contains "perennial" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-perennial" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* Labels that select the pods of a role. Takes (dict "root" $ "role" "api"). */}}
{{- define "perennial.selector" -}}
app.kubernetes.io/name: perennial
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "perennial.labels" -}}
{{ include "perennial.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "perennial.image" -}}
{{ .root.Values.image.repository }}:{{ .tag | default .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end }}

{{- define "perennial.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "perennial.containerSecurity" -}}
readOnlyRootFilesystem: true
allowPrivilegeEscalation: false
capabilities: { drop: [ALL] }
{{- end }}

{{/* Variables about uploaded files. */}}
{{- define "perennial.files" -}}
{{- if .Values.files.existingClaim }}
FILES_FOLDER: /perennial/files
{{- else if not .Values.env.S3_BUCKET }}
{{- fail "Uploaded files need a place: set files.existingClaim, or S3_BUCKET among env" }}
{{- end }}
{{- end }}

{{/* Environment variables of a map, in the order of their names. */}}
{{- define "perennial.env" -}}
{{- range $name, $value := . }}
- { name: {{ $name }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- end }}

{{- define "perennial.mounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if .Values.files.existingClaim }}
- { name: files, mountPath: /perennial/files }
{{- end }}
{{- end }}

{{- define "perennial.volumes" -}}
- { name: tmp, emptyDir: {} }
{{- if .Values.files.existingClaim }}
- { name: files, persistentVolumeClaim: { claimName: {{ .Values.files.existingClaim | quote }} } }
{{- end }}
{{- end }}

{{/* Readiness follows the database; liveness does not, because a restart does not help while the database is away. */}}
{{- define "perennial.probes" -}}
startupProbe: { httpGet: { path: /health, port: metrics }, periodSeconds: 2, failureThreshold: 60 }
readinessProbe: { httpGet: { path: /ready, port: metrics }, periodSeconds: 2, failureThreshold: 2, timeoutSeconds: 3 }
livenessProbe: { httpGet: { path: /health, port: metrics }, periodSeconds: 10, failureThreshold: 6, timeoutSeconds: 3 }
{{- end }}

{{- define "perennial.budget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "perennial.name" .root }}-{{ .role }}
  labels: {{- include "perennial.labels" . | nindent 4 }}
spec:
  maxUnavailable: {{ .root.Values.podDisruptionBudget.maxUnavailable }}
  selector:
    matchLabels: {{- include "perennial.selector" . | nindent 6 }}
{{- end }}

{{/* Whom a Deployment's pods belong to, and where they run. Takes root, role, and the role's values. */}}
{{- define "perennial.pod" -}}
metadata:
  labels: {{- include "perennial.labels" . | nindent 4 }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false # a Service `temporal` would set TEMPORAL_PORT
  securityContext: {{- include "perennial.podSecurity" . | nindent 4 }}
  {{- with .root.Values.imagePullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .values.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels: {{- include "perennial.selector" . | nindent 10 }}
  terminationGracePeriodSeconds: {{ .grace }}
  volumes: {{- include "perennial.volumes" .root | nindent 4 }}
  containers:
    - name: {{ .role }}
      image: {{ include "perennial.image" (dict "root" .root "tag" .values.tag) | quote }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: [{{ .role }}]
      ports: {{- .ports | nindent 8 }}
      envFrom:
        - secretRef: { name: {{ .root.Values.secrets.existingSecret | quote }} }
      env: {{- include "perennial.env" (merge (dict) .values.env .env (include "perennial.files" .root | fromYaml) .root.Values.env) | nindent 8 }}
      {{- include "perennial.probes" . | nindent 6 }}
      resources: {{- toYaml .values.resources | nindent 8 }}
      securityContext: {{- include "perennial.containerSecurity" . | nindent 8 }}
      volumeMounts: {{- include "perennial.mounts" .root | nindent 8 }}
{{- end }}
